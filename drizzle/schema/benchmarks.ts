/** What rates on a trade lane were in a week, over all its routes. */

import { sql } from "drizzle-orm";
import { check, foreignKey, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { cargoType, tradeLanes } from "./catalogue.ts";
import { day, instant } from "./columns.ts";

/** Only of weeks with enough routes and carriers that nobody's rates can be read from it. */
export const laneBenchmarks = pgTable(
  "lane_benchmarks",
  {
    tradeLaneId: integer().notNull(),
    cargoType: cargoType().notNull(),
    /** ISO 6346 size and type code of a container. Empty for other cargo. */
    equipmentType: text().notNull(),
    /** Its Monday. */
    week: day().notNull(),
    /** In US cents, for one unit of the cargo type's basis, surcharges included. */
    lowCents: integer().notNull(),
    medianCents: integer().notNull(),
    highCents: integer().notNull(),
    routeCount: integer().notNull(),
    carrierCount: integer().notNull(),
    computedAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tradeLaneId, t.cargoType, t.equipmentType, t.week] }),
    foreignKey({ columns: [t.tradeLaneId], foreignColumns: [tradeLanes.id] }).onDelete("cascade"),
    check("lane_benchmarks_order", sql`${t.lowCents} <= ${t.medianCents} and ${t.medianCents} <= ${t.highCents}`),
  ],
);
