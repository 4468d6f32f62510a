/** Changes of the routes' data, for those who follow it. Triggers write them, see the migration `record_route_changes`. */
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
  uuid,
} from "drizzle-orm/pg-core";
import { changeSources, changeTypes } from "../../app/domain/changes/enums.ts";
import { accounts } from "./accounts.ts";
import { periods, reportType, routes, serviceLevelName } from "./catalogue.ts";
import { bigId, instant } from "./columns.ts";

export const changeType = pgEnum("change_type", changeTypes);

export const changeSource = pgEnum("change_source", changeSources);

/** Values by field, as they were or are. */
type Figures = Record<string, string | number | boolean | null>;

/**
 * One record per revision of the catalogue and thing that has changed: a series of reports in a period, a rate, a surcharge,
 * the schedule of a route, a route or a period. Ids are in commit order, as all writers hold the catalogue's lock.
 */
export const routeChanges = pgTable(
  "route_changes",
  {
    id: bigId(),
    /** That of `catalogue_state`. */
    revision: bigint({ mode: "number" }).notNull(),
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    /** Of reports and periods. */
    periodId: integer().references(() => periods.id, { onDelete: "cascade" }),
    type: changeType().notNull(),
    source: changeSource().notNull(),
    occurredAt: instant().notNull(),
    /** What identifies a series of reports; rates have the last two. */
    reportType: reportType(),
    serviceLevel: serviceLevelName(),
    equipmentType: text().notNull().default(""),
    /** What identifies a surcharge. */
    surchargeCode: text().notNull().default(""),
    /** How many reports. */
    count: integer(),
    /** The first and last observation of the reports, or departure of the sailings. */
    observedFrom: instant(),
    observedTo: instant(),
    /** Which fields of a route or a period. */
    fields: text().array().notNull().default([]),
    /** The newest observation of a series, only if another one is the newest now or it was corrected; or what the fields were. */
    before: jsonb().$type<Figures>(),
    after: jsonb().$type<Figures>(),
  },
  (t) => [
    unique("route_changes_subject_key")
      .on(t.revision, t.routeId, t.type, t.periodId, t.reportType, t.serviceLevel, t.equipmentType, t.surchargeCode)
      .nullsNotDistinct(),
    index("route_changes_route_id_idx").on(t.routeId, t.id),
    index("route_changes_occurred_at_idx").on(t.occurredAt, t.id),
  ],
);

/** One row: up to which id old changes have been deleted. Who has read less has missed some. */
export const routeChangeRetention = pgTable(
  "route_change_retention",
  {
    id: boolean().primaryKey().default(true),
    deletedThrough: bigint({ mode: "number" }).notNull().default(0),
  },
  (t) => [check("route_change_retention_one_row", sql`${t.id}`)],
);

/** Connections that follow changes. An account has as many slots as it may have connections. */
export const changeStreams = pgTable(
  "change_streams",
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** From 1. */
    slot: smallint().notNull(),
    /** The connection that holds the slot. */
    leaseId: uuid().notNull(),
    /** In real time, also in test mode. Renewed while the connection is open. */
    expiresAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.slot] })],
);

/** One row: up to which id changes have been handed to webhooks. */
export const changeDispatch = pgTable(
  "change_dispatch",
  {
    id: boolean().primaryKey().default(true),
    dispatchedThrough: bigint({ mode: "number" }).notNull(),
  },
  (t) => [check("change_dispatch_one_row", sql`${t.id}`)],
);
