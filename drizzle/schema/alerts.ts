/** What accounts watch, and the alerts about it. */
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { alertKinds, mailCadences } from "../../app/domain/alerts/enums.ts";
import type { AlertFigures } from "../../app/domain/alerts/figures.ts";
import type { LastKnown } from "../../app/domain/alerts/last-known.ts";
import { accounts } from "./accounts.ts";
import { cargoType, ports, routes } from "./catalogue.ts";
import { bigId, id, instant } from "./columns.ts";
import { sailings } from "./schedules.ts";

export const alertKind = pgEnum("alert_kind", alertKinds);

export const mailCadence = pgEnum("alert_mail_cadence", mailCadences);

/** A route or a port pair, with the rules for its alerts. A rule that is null or false is off. */
export const watches = pgTable(
  "watches",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    /** Null: a port pair is watched. */
    routeId: integer().references(() => routes.id, { onDelete: "cascade" }),
    originPortId: integer().references(() => ports.id),
    destinationPortId: integer().references(() => ports.id),
    /** Of a port pair. Null: any cargo. */
    cargoType: cargoType(),
    /** ISO 6346 size and type code. Null: the one in which rates are usually quoted. */
    equipmentType: text(),
    /** How far the all-in rate has to move. */
    rateChangePercent: smallint(),
    allInBelowCents: integer(),
    allInAboveCents: integer(),
    /** Of the all-in thresholds. */
    currency: text().notNull(),
    /** In the unit of the route's cargo type. */
    capacityBelow: integer(),
    bookingStatus: boolean().notNull(),
    /** By how many days a sailing has to move. */
    scheduleSlipDays: smallint(),
    staleData: boolean().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [
    unique("watches_target_key")
      .on(t.accountId, t.routeId, t.originPortId, t.destinationPortId, t.cargoType, t.equipmentType)
      .nullsNotDistinct(),
    index("watches_route_id_idx").on(t.routeId),
    index("watches_port_pair_idx").on(t.originPortId, t.destinationPortId),
    check(
      "watches_route_or_port_pair",
      sql`num_nonnulls(${t.originPortId}, ${t.destinationPortId}) = case when ${t.routeId} is null then 2 else 0 end
        and (${t.routeId} is null or ${t.cargoType} is null)`,
    ),
    check("watches_rate_change_percent", sql`${t.rateChangePercent} between 1 and 100`),
    check("watches_thresholds", sql`least(${t.allInBelowCents}, ${t.allInAboveCents}, ${t.capacityBelow}) > 0`),
    check("watches_schedule_slip_days", sql`${t.scheduleSlipDays} between 1 and 60`),
  ],
);

/** The figures with which a watch compares the next ones, one for each kind of alert, route and series. */
export const alertBaselines = pgTable(
  "alert_baselines",
  {
    watchId: integer()
      .notNull()
      .references(() => watches.id, { onDelete: "cascade" }),
    kind: alertKind().notNull(),
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    /** Service level and equipment type: `standard 45G1`. */
    series: text().notNull(),
    lastKnown: jsonb().$type<LastKnown>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.watchId, t.kind, t.routeId, t.series] })],
);

/** The times of sailings of watched routes when they were first seen. A slip is measured from them. */
export const watchedSailings = pgTable("watched_sailings", {
  sailingId: bigint({ mode: "number" })
    .primaryKey()
    .references(() => sailings.id, { onDelete: "cascade" }),
  etd: instant().notNull(),
  eta: instant().notNull(),
  cancelled: boolean().notNull(),
});

export const alerts = pgTable(
  "alerts",
  {
    id: bigId(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    /** Null: it is not watched any more. */
    watchId: integer().references(() => watches.id, { onDelete: "set null" }),
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    kind: alertKind().notNull(),
    /** Identifies the fact, so that it raises one alert only: `all_in_below:109:standard 45G1:400000:8812`. */
    factKey: text().notNull(),
    figures: jsonb().$type<AlertFigures>().notNull(),
    /** When the data changed or became late. */
    occurredAt: instant().notNull(),
    createdAt: instant().notNull(),
    readAt: instant(),
    /** Whether it waits for the next mail. */
    awaitsMail: boolean().notNull(),
  },
  (t) => [
    unique("alerts_fact_key").on(t.accountId, t.factKey),
    index("alerts_account_id_idx").on(t.accountId, t.id),
    index("alerts_unread_idx").on(t.accountId).where(sql`${t.readAt} is null`),
    index("alerts_awaiting_mail_idx").on(t.accountId).where(sql`${t.awaitsMail}`),
    index("alerts_watch_id_idx").on(t.watchId),
    index("alerts_created_at_idx").on(t.createdAt),
  ],
);

/** Without a row, the default holds (`policy.ts`). */
export const alertSettings = pgTable("alert_settings", {
  accountId: integer()
    .primaryKey()
    .references(() => accounts.id),
  mailCadence: mailCadence().notNull(),
});

/** How far the changes of route data have been evaluated: one row at most. */
export const alertProgress = pgTable(
  "alert_progress",
  {
    id: smallint().primaryKey().default(1),
    /** The last evaluated row of `route_changes`. */
    changeId: bigint({ mode: "number" }).notNull(),
  },
  (t) => [check("alert_progress_one_row", sql`${t.id} = 1`)],
);
