/** Accounts, their sessions, links by mail and second factors. */

import { sql } from "drizzle-orm";
import {
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
import { plans } from "../../app/domain/plans/plans.ts";
import { bytes, id, instant } from "./columns.ts";

export const planName = pgEnum("plan_name", plans);

export const accountStanding = pgEnum("account_standing", ["good", "suspended"]);

export const accountRole = pgEnum("account_role", ["holder", "operator"]);

export const accounts = pgTable(
  "accounts",
  {
    id: id(),
    /** As typed; compared in lower case. */
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
    stripeCustomerId: text().unique(),
    /** When the holder opened the link that was mailed to the present address. */
    emailVerifiedAt: instant(),
    /** Closed by its holder: the books stay, what names a person is gone. */
    closedAt: instant(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("accounts_email_key").on(sql`lower(${t.email})`),
    uniqueIndex("accounts_username_key").on(sql`lower(${t.username})`),
    check("accounts_custom_hourly_limit", sql`${t.customHourlyLimit} > 0`),
    check("accounts_custom_discount_percent", sql`${t.customDiscountPercent} between 0 and 100`),
  ],
);

export const sessionKind = pgEnum("session_kind", ["portal", "bearer"]);

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

/** Links that set a new password, each used once. */
export const passwordResets = pgTable(
  "password_resets",
  {
    id: id(),
    /** SHA-256 of the link's token, hex. The token itself is in the mail alone. */
    tokenHash: text().notNull().unique(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** When it was used, or made void by another change of the password. */
    usedAt: instant(),
  },
  (t) => [index("password_resets_account_id_idx").on(t.accountId)],
);

/** Links that prove an e-mail address, each used once. */
export const emailVerifications = pgTable(
  "email_verifications",
  {
    id: id(),
    /** SHA-256 of the link's token, hex. */
    tokenHash: text().notNull().unique(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** The address that the link proves; it becomes the account's where it is another. */
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
  /** The shared secret, sealed with the service's own key. */
  sealedSecret: bytes().notNull(),
  createdAt: instant().notNull(),
  /** Null while it is being set up: the first right code turns it on. */
  confirmedAt: instant(),
  /** The time step of the code used last: none is taken twice. */
  lastStep: bigint({ mode: "number" }).notNull().default(0),
});

/** What opens an account whose second factor is lost, each used once. */
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

/** Sign-ins between the right password and the second factor. */
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

/** Where an account has been signed in before, so that its holder is told of a new place. */
export const signInPlaces = pgTable(
  "sign_in_places",
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** SHA-256 of network and program, hex: enough to tell a place again, and no record of where somebody was. */
    place: text().notNull(),
    /** 0: known from the registration alone. */
    signIns: integer().notNull(),
    firstSeenAt: instant().notNull(),
    /** Signed in from since the password was last changed: attempts from there have a budget of their own. */
    isTrusted: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.place] })],
);

/** Browsers that an account has signed in with: their attempts are counted apart from strangers'. They open nothing. */
export const knownDevices = pgTable(
  "known_devices",
  {
    /** SHA-256 of the token in the browser's cookie, hex. */
    tokenHash: text().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    /** Moved by every sign-in. */
    expiresAt: instant().notNull(),
  },
  (t) => [index("known_devices_account_id_idx").on(t.accountId)],
);
