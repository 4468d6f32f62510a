import { sql } from "drizzle-orm";
import { bigint, check, pgTable, smallint } from "drizzle-orm/pg-core";

/** How far the test clock is ahead of the system clock. One row. */
export const testClock = pgTable(
  "test_clock",
  {
    id: smallint().primaryKey().default(1),
    aheadMs: bigint({ mode: "number" }).notNull(),
    /** Start and target of a move in progress. Null: the clock is not being moved. */
    movingFromMs: bigint({ mode: "number" }),
    movingToMs: bigint({ mode: "number" }),
  },
  (t) => [
    check("test_clock_one_row", sql`${t.id} = 1 and ${t.aheadMs} >= 0`),
    check("test_clock_move", sql`(${t.movingFromMs} is null) = (${t.movingToMs} is null)`),
  ],
);
