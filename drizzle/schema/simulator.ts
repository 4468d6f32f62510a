/** Objects of the payment simulator (test mode). */
import { index, jsonb, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** Customers, payment intents, charges, refunds … in the form in which Stripe returns them. */
export const simulatorObjects = pgTable(
  "simulator_objects",
  {
    id: text().primaryKey(),
    object: text().notNull(),
    /** The owning object: a charge's intent, an intent's customer. */
    parentId: text(),
    body: jsonb().$type<Record<string, unknown>>().notNull(),
    /** What Stripe stores but never returns, such as a card number. */
    hidden: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    createdAt: instant().notNull(),
  },
  (t) => [index("simulator_objects_parent_id_idx").on(t.object, t.parentId)],
);

export const simulatorRequests = pgTable("simulator_requests", {
  idempotencyKey: text().primaryKey(),
  requestHash: text().notNull(),
  status: smallint(),
  body: jsonb().$type<Record<string, unknown>>(),
  createdAt: instant().notNull(),
});
