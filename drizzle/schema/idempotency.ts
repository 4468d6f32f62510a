/** Responses kept for `Idempotency-Key`. */
import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, instant } from "./columns.ts";

/** Answers to repeat for an `Idempotency-Key`, for 24 hours. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** Whose key it is: `account:12`, or `ip:203.0.113.7` before there is an account. */
    scope: text().notNull(),
    /** SHA-256 of the key, hex. */
    keyHash: text().notNull(),
    endpoint: text().notNull(),
    requestHash: text().notNull(),
    /** Null while the first request is under way. Sealed with the key itself, as an answer may hold a secret. */
    sealedResponse: bytes(),
    createdAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.keyHash] }), index("idempotency_keys_created_at_idx").on(t.createdAt)],
);
