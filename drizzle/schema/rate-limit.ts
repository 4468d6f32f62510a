import { bigint, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";

/**
 * Requests counted for several processes without Redis. Two slots for each length of window hold the latest two windows, so
 * that rows are updated instead of added. The table is unlogged (by its migration): counting writes no WAL, and after a crash
 * of the database the counts begin again.
 */
export const rateLimitCounters = pgTable(
  "rate_limit_counters",
  {
    subject: text().notNull(),
    /** The length of the window: 3600 or 1. */
    windowSeconds: smallint().notNull(),
    /** The window's number, modulo 2. */
    slot: smallint().notNull(),
    /** The windows of this length since 1970. */
    windowNumber: bigint({ mode: "number" }).notNull(),
    requests: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.subject, t.windowSeconds, t.slot] })],
);
