/** API keys. */
import { index, integer, pgEnum, pgTable, text } from "drizzle-orm/pg-core";
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
  },
  (t) => [index("api_keys_account_id_idx").on(t.accountId)],
);
