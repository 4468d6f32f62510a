import { sql } from "drizzle-orm";
import { check, integer, pgTable, text } from "drizzle-orm/pg-core";
import { accounts } from "./accounts.ts";
import { instant } from "./columns.ts";

/** Who is invoiced for an account's purchases. Invoices hold a copy. */
export const billingDetails = pgTable(
  "billing_details",
  {
    accountId: integer()
      .primaryKey()
      .references(() => accounts.id),
    /** Of the company, or of the person. */
    name: text().notNull(),
    addressLine1: text().notNull(),
    addressLine2: text(),
    postalCode: text(),
    city: text().notNull(),
    region: text(),
    /** ISO 3166-1 alpha-2. */
    country: text().notNull(),
    /** VAT or other tax number. */
    taxId: text(),
    purchaseOrder: text(),
    /** Where invoices go. Null: to the account's address. */
    email: text(),
    updatedAt: instant().notNull(),
  },
  (t) => [check("billing_details_country", sql`${t.country} ~ '^[A-Z]{2}$'`)],
);
