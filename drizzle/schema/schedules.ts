/** Schedules as carriers publish them: sailings of a route, each with one leg per vessel. */
import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { sailingStatuses, transportModes } from "../../app/domain/schedules/enums.ts";
import { ports, routes, serviceLevelName } from "./catalogue.ts";
import { bigId, instant } from "./columns.ts";

export const sailingStatus = pgEnum("sailing_status", sailingStatuses);

export const transportMode = pgEnum("transport_mode", transportModes);

/**
 * A departure from the route's origin. Known by route, service and voyage number, so that a delayed sailing is updated
 * rather than added; a voyage number that the carrier uses again in a later year replaces the old sailing.
 */
export const sailings = pgTable(
  "sailings",
  {
    id: bigId(),
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    /** The carrier's code of the service that makes the first leg. */
    serviceCode: text().notNull(),
    /** The carrier's export voyage number of the first leg. */
    voyage: text().notNull(),
    status: sailingStatus().notNull().default("scheduled"),
    /** Null: the carrier does not state one. */
    serviceLevel: serviceLevelName(),
    /** Departure from the origin port: that of the first leg. */
    etd: instant().notNull(),
    /** Arrival at the destination port: that of the last leg. */
    eta: instant().notNull(),
    /** DCSA cut-off DCO: shipping instructions. */
    documentationCutOff: instant(),
    /** DCSA cut-off VCO: verified gross mass. Containers only. */
    vgmCutOff: instant(),
    /** DCSA cut-off FCO: delivery of the cargo to the terminal. */
    cargoCutOff: instant(),
    publishedAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    unique("sailings_voyage_key").on(t.routeId, t.serviceCode, t.voyage),
    index("sailings_route_id_etd_idx").on(t.routeId, t.etd, t.id),
    check("sailings_order", sql`${t.eta} > ${t.etd}`),
    check("sailings_cut_offs", sql`greatest(${t.documentationCutOff}, ${t.vgmCutOff}, ${t.cargoCutOff}) <= ${t.etd}`),
  ],
);

/** From port to port on one vessel. A sailing with one transhipment has two. */
export const sailingLegs = pgTable(
  "sailing_legs",
  {
    sailingId: bigint({ mode: "number" })
      .notNull()
      .references(() => sailings.id, { onDelete: "cascade" }),
    /** From 1. */
    sequence: smallint().notNull(),
    mode: transportMode().notNull().default("vessel"),
    loadPortId: integer()
      .notNull()
      .references(() => ports.id),
    /** SMDG terminal code. */
    loadTerminalCode: text(),
    loadTerminal: text(),
    dischargePortId: integer()
      .notNull()
      .references(() => ports.id),
    dischargeTerminalCode: text(),
    dischargeTerminal: text(),
    /** Null: not known yet, or a cancelled sailing. */
    vessel: text(),
    /** IMO ship number: seven digits, the last one a check digit (`imo-number.ts`). */
    vesselImo: text(),
    serviceCode: text().notNull(),
    voyage: text().notNull(),
    etd: instant().notNull(),
    eta: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.sailingId, t.sequence] }),
    check("sailing_legs_order", sql`${t.eta} > ${t.etd}`),
    check("sailing_legs_vessel_imo", sql`${t.vesselImo} ~ '^[0-9]{7}$'`),
  ],
);
