import { sql } from "drizzle-orm";
import { check, pgTable, smallint } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** Updated by every health check, to prove that the database accepts writes. One row. */
export const healthChecks = pgTable(
  "health_checks",
  { id: smallint().primaryKey().default(1), checkedAt: instant().notNull() },
  (t) => [check("health_checks_one_row", sql`${t.id} = 1`)],
);
