import { sql } from "drizzle-orm";
import { integer, pgTable, text, unique, uniqueIndex } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { id, instant } from "./columns.ts";

/** Searches of the catalogue that accounts have saved under a name. */
export const savedSearches = pgTable(
  "saved_searches",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    name: text().notNull(),
    /** Query parameters in canonical order, so that equal searches are equal texts: `origin=CNSHA&cargo_type=container`. */
    query: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [
    unique("saved_searches_account_id_query_key").on(t.accountId, t.query),
    uniqueIndex("saved_searches_account_id_name_key").on(t.accountId, sql`lower(${t.name})`),
  ],
);
