import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { instant } from "./columns.ts";

/** The secret address of an account's renewal calendar. */
export const calendarFeeds = pgTable("calendar_feeds", {
  accountId: integer()
    .primaryKey()
    .references(() => accounts.id),
  /** SHA-256 of the secret in the address. */
  tokenHash: text().notNull().unique(),
  createdAt: instant().notNull(),
});
