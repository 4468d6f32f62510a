/** Accounts, sessions, links sent by e-mail, and second factors. */

import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { roles, sessionKinds, standings } from "../../app/domain/accounts/enums.ts";
import { plans } from "../../app/domain/plans/enums.ts";
import { bytes, day, id, instant } from "./columns.ts";

export const planName = pgEnum("plan_name", plans);

export const accountStanding = pgEnum("account_standing", standings);

export const accountRole = pgEnum("account_role", roles);

export const accounts = pgTable(
  "accounts",
  {
    id: id(),
    /** Stored as typed, compared in lower case. */
    email: text().notNull(),
    username: text().notNull(),
    /** Argon2id, PHC string. */
    passwordHash: text().notNull(),
    plan: planName().notNull().default("free"),
    standing: accountStanding().notNull().default("good"),
    role: accountRole().notNull().default("holder"),
    /** Requests an hour instead of the plan's, where the plan allows it. */
    customHourlyLimit: integer(),
    /** Agreed with sales, for orders beyond the table of volume discounts. */
    customDiscountPercent: smallint(),
    /** The last day on which the agreed discount applies. Null: until an operator ends it. */
    customDiscountThrough: day(),
    /** The operator who agreed to the discount. Null: agreed before this was recorded. */
    customDiscountAgreedBy: integer().references((): AnyPgColumn => accounts.id),
    stripeCustomerId: text().unique(),
    /** When the account holder opened the link sent to the current address. */
    emailVerifiedAt: instant(),
    /** Since when the account holder wants the statement of each month by e-mail. Null: not wanted. */
    monthlyStatementsSince: instant(),
    /** Whether the account holder wants a mail when 80% and 100% of an hour's requests are used. */
    quotaAlertsByMail: boolean().notNull().default(false),
    /** The version of the terms that the account holder accepted by registering. Null: registered before versions were recorded. */
    termsVersion: day(),
    /** When the account holder closed the account. The books stay, personal data is erased. */
    closedAt: instant(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("accounts_email_key").on(sql`lower(${t.email})`),
    uniqueIndex("accounts_username_key").on(sql`lower(${t.username})`),
    check("accounts_custom_hourly_limit", sql`${t.customHourlyLimit} > 0`),
    check("accounts_custom_discount_percent", sql`${t.customDiscountPercent} between 0 and 100`),
    check(
      "accounts_custom_discount",
      sql`${t.customDiscountPercent} is not null or (${t.customDiscountThrough} is null and ${t.customDiscountAgreedBy} is null)`,
    ),
  ],
);

export const sessionKind = pgEnum("session_kind", sessionKinds);

export const sessions = pgTable(
  "sessions",
  {
    /** SHA-256 of the token, hex. The token itself is never stored. */
    id: text().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    kind: sessionKind().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    userAgent: text(),
    ipAddress: text(),
  },
  (t) => [index("sessions_account_id_idx").on(t.accountId), index("sessions_expires_at_idx").on(t.expiresAt)],
);

/** Password reset links. Each works once. */
export const passwordResets = pgTable(
  "password_resets",
  {
    id: id(),
    /** SHA-256 of the link's token, hex. Only the mail holds the token itself. */
    tokenHash: text().notNull().unique(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** When the link was used, or voided by another change of the password. */
    usedAt: instant(),
  },
  (t) => [index("password_resets_account_id_idx").on(t.accountId)],
);

/** Links that verify an e-mail address. Each works once. */
export const emailVerifications = pgTable(
  "email_verifications",
  {
    id: id(),
    /** SHA-256 of the link's token, hex. */
    tokenHash: text().notNull().unique(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The address to verify. If the account has another one, this address replaces it. */
    email: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [index("email_verifications_account_id_idx").on(t.accountId)],
);

/** Time-based one-time passwords (RFC 6238) as a second factor. */
export const twoFactors = pgTable("two_factors", {
  accountId: integer()
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** The shared secret, encrypted with `SECRETS_KEY`. */
  sealedSecret: bytes().notNull(),
  createdAt: instant().notNull(),
  /** Null during setup. The first correct code turns two-factor sign-in on. */
  confirmedAt: instant(),
  /** The time step of the last code used, so that no code works twice. */
  lastStep: bigint({ mode: "number" }).notNull().default(0),
});

/** Recovery codes for a lost second factor. Each works once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** SHA-256, hex. */
    codeHash: text().notNull(),
    createdAt: instant().notNull(),
    usedAt: instant(),
  },
  (t) => [unique("recovery_codes_code_key").on(t.accountId, t.codeHash)],
);

/** Public keys that sign in instead of a password, or after it (WebAuthn). */
export const passkeys = pgTable(
  "passkeys",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Chosen by the authenticator, base64url. */
    credentialId: text().notNull().unique("passkeys_credential_id_key"),
    /** In COSE's encoding. */
    publicKey: bytes().notNull(),
    /** What authenticators know the account by: random, base64url, the same for all passkeys of an account. */
    userHandle: text().notNull(),
    /** How often the authenticator has signed. Always 0 for those that do not count. */
    signCount: bigint({ mode: "number" }).notNull(),
    /** How browsers reach the authenticator: `internal`, `usb`, `hybrid`. */
    transports: text().array().notNull(),
    /** The authenticator's model. Zeros if it does not say. */
    aaguid: text().notNull(),
    /** Whether the holder's provider keeps a copy, so that it works on several devices. */
    isSynced: boolean().notNull(),
    /** Given by the holder. */
    name: text().notNull(),
    createdAt: instant().notNull(),
    /** Null: not yet. */
    lastUsedAt: instant(),
  },
  (t) => [index("passkeys_account_id_idx").on(t.accountId)],
);

/** Challenges that a passkey has answered, until they expire, so that no answer is accepted twice. */
export const spentPasskeyChallenges = pgTable("spent_passkey_challenges", {
  /** SHA-256 of the challenge, hex. */
  challengeHash: text().primaryKey(),
  expiresAt: instant().notNull(),
});

/** Wrong codes of the second factor, since the last right one. Each follows a correct password. */
export const wrongCodes = pgTable(
  "wrong_codes",
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** Who enters them: a known device or place, or `strangers`, all others together. */
    origin: text().notNull(),
    count: integer().notNull(),
    lastAt: instant().notNull(),
    /** No code is compared before. Null: no pause. */
    pausedUntil: instant(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.origin] })],
);

/** Sign-ins with a correct password that still need the second factor. */
export const signInChallenges = pgTable(
  "sign_in_challenges",
  {
    /** SHA-256 of the token in the visitor's cookie, hex. */
    tokenHash: text().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (t) => [index("sign_in_challenges_account_id_idx").on(t.accountId)],
);

/** Where an account has signed in before. A sign-in from a new place is reported to its holder. */
export const signInPlaces = pgTable(
  "sign_in_places",
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** SHA-256 of network and user agent, hex: enough to recognise a place without recording where it is. */
    place: text().notNull(),
    /** 0: known only from the registration. */
    signIns: integer().notNull(),
    firstSeenAt: instant().notNull(),
    /** Used since the last password change. Attempts from a trusted place have their own rate limit. */
    isTrusted: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.place] })],
);

/** Browsers that have signed in to an account. Their attempts have their own rate limit; they grant no access. */
export const knownDevices = pgTable(
  "known_devices",
  {
    /** SHA-256 of the token in the browser's cookie, hex. */
    tokenHash: text().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    /** Extended by every sign-in. */
    expiresAt: instant().notNull(),
  },
  (t) => [index("known_devices_account_id_idx").on(t.accountId)],
);
