import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** A condition of a prepared statement, with all ids in one parameter. `inArray` takes a parameter for each. */
export const isOneOf = (column: PgColumn, ids: Placeholder): SQL => sql`${column} = any(${ids}::int[])`;
