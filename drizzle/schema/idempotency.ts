import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, instant } from "./columns.ts";

/** Responses to repeat for an `Idempotency-Key`. Kept for `storedResponseHours`. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** The owner of the key: `account:12`, or `ip:203.0.113.7` for anonymous requests. */
    scope: text().notNull(),
    /** SHA-256 of the key, hex. */
    keyHash: text().notNull(),
    endpoint: text().notNull(),
    requestHash: text().notNull(),
    /** Null while the first request is running. Encrypted with the key itself, as a response may contain a secret. */
    sealedResponse: bytes(),
    createdAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.scope, t.keyHash] }), index("idempotency_keys_created_at_idx").on(t.createdAt)],
);
