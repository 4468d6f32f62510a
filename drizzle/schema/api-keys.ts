/** API keys. */
import { sql } from "drizzle-orm";
import { check, index, integer, pgEnum, pgTable, text } from "drizzle-orm/pg-core";
import { keyStatuses } from "../../app/domain/api-keys/enums.ts";
import { accounts } from "./accounts.ts";
import { bytes, id, instant } from "./columns.ts";

export const apiKeyStatus = pgEnum("api_key_status", keyStatuses);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text().notNull(),
    /** `X-Username` must equal this exactly. */
    user: text().notNull(),
    /** SHA-256 of the key. */
    secretHash: bytes().notNull().unique(),
    /** The first characters, so that users can tell keys apart. */
    displayPrefix: text().notNull(),
    status: apiKeyStatus().notNull().default("active"),
    createdAt: instant().notNull(),
    /** When the key stops working. Null: never. */
    expiresAt: instant(),
    /** When the key was rotated. It works until `expiresAt` and is then deleted. Null: it was not. */
    replacedAt: instant(),
    /** Requests in an hour, besides the account's limit. Null: only that one. */
    hourlyLimit: integer(),
    /** Addresses and networks (CIDR) that the key accepts requests from. Null: from everywhere. */
    allowedAddresses: text().array(),
  },
  (t) => [
    index("api_keys_account_id_idx").on(t.accountId),
    // Partial: few keys expire.
    index("api_keys_expires_at_idx").on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
    check("api_keys_hourly_limit", sql`${t.hourlyLimit} > 0`),
    check("api_keys_replaced_at", sql`${t.replacedAt} is null or ${t.expiresAt} is not null`),
  ],
);
