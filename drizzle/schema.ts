/**
 * Every table of the service. Constraints here are the ones that concurrency threatens; rules that one
 * process can keep live in the domain. What drizzle cannot express (the exclusion constraint that forbids
 * overlapping subscriptions) stands in a hand-written migration.
 *
 * Money: integer minor units (`*_cents`). Dates: UTC. Ids: integers.
 */
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { ActDetails, Action } from "../app/domain/accounts/action.ts";
import type { Waypoint } from "../app/domain/catalogue/route.ts";

const id = () => integer().primaryKey().generatedAlwaysAsIdentity();
const bigId = () => bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
const instant = () => timestamp({ withTimezone: true, mode: "date", precision: 3 });
/** A calendar day in UTC, as `YYYY-MM-DD`. */
const day = () => date({ mode: "string" });
const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });

// ── Accounts ────────────────────────────────────────────────────────────────────────────────────────

export const planName = pgEnum("plan_name", ["free", "professional", "enterprise"]);
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
    /** Enterprise only: requests an hour instead of the plan's. */
    customHourlyLimit: integer(),
    /** Agreed with sales: opens orders of 21 routes and more. */
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

export const auditLog = pgTable(
  "audit_log",
  {
    id: bigId(),
    /** Whose account was acted on. */
    accountId: integer().references(() => accounts.id, { onDelete: "cascade" }),
    /** Who acted; null: the service itself. */
    actorAccountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    /** `noun.past_tense`, for example `api_key.created`. */
    action: text().$type<Action>().notNull(),
    details: jsonb().$type<ActDetails>().notNull().default({}),
    occurredAt: instant().notNull(),
  },
  (t) => [
    index("audit_log_account_id_idx").on(t.accountId, t.id),
    index("audit_log_actor_account_id_idx").on(t.actorAccountId, t.id),
    index("audit_log_action_idx").on(t.action, t.id),
  ],
);

// ── API keys ────────────────────────────────────────────────────────────────────────────────────────

export const apiKeyStatus = pgEnum("api_key_status", ["active", "inactive"]);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    name: text().notNull(),
    /** What `X-Username` must equal, exactly. */
    user: text().notNull(),
    /** SHA-256 of the key. */
    secretHash: bytes().notNull().unique(),
    /** The first characters, to tell keys apart on a screen. */
    displayPrefix: text().notNull(),
    status: apiKeyStatus().notNull().default("active"),
    createdAt: instant().notNull(),
  },
  (t) => [index("api_keys_account_id_idx").on(t.accountId)],
);

// ── Catalogue: region › trade lane › route group › route › period › report ──────────────────────────

export const cargoType = pgEnum("cargo_type", ["container", "bulk", "ro_ro", "break_bulk"]);
export const serviceLevelName = pgEnum("service_level_name", ["express", "standard", "economy"]);
export const freshness = pgEnum("freshness", ["real_time", "daily", "weekly"]);
export const bookingStatus = pgEnum("booking_status", ["open", "limited", "full", "closed"]);
export const haul = pgEnum("haul", ["head_haul", "back_haul"]);
export const reportType = pgEnum("report_type", ["rate", "capacity", "schedule", "performance"]);

export const regions = pgTable("regions", {
  id: id(),
  code: text().notNull().unique(),
  name: text().notNull(),
  geography: text().notNull(),
});

export const ports = pgTable(
  "ports",
  {
    id: id(),
    /** UN/LOCODE as the trade writes it. */
    unlocode: text().notNull().unique(),
    /** Other codes of the same port, accepted by every look-up. */
    altUnlocodes: text().array().notNull().default([]),
    name: text().notNull(),
    countryCode: text().notNull(),
    country: text().notNull(),
    regionId: integer()
      .notNull()
      .references(() => regions.id),
    lat: doublePrecision().notNull(),
    lon: doublePrecision().notNull(),
    /** 1: a hub … 3: a feeder port. */
    tier: smallint().notNull(),
    cargoTypes: cargoType().array().notNull(),
    /** IANA zone. */
    timezone: text().notNull(),
  },
  (t) => [index("ports_alt_unlocodes_idx").using("gin", t.altUnlocodes)],
);

export const carriers = pgTable("carriers", {
  id: id(),
  code: text().notNull().unique(),
  name: text().notNull(),
  cargoTypes: cargoType().array().notNull(),
});

export const tradeLanes = pgTable("trade_lanes", {
  id: id(),
  code: text().notNull().unique(),
  name: text().notNull(),
  regionId: integer()
    .notNull()
    .references(() => regions.id),
  originRegionId: integer()
    .notNull()
    .references(() => regions.id),
  destinationRegionId: integer()
    .notNull()
    .references(() => regions.id),
  haul: haul().notNull(),
  /** A month of weekly data of one route of the lane, before popularity. */
  basePriceCents: integer().notNull(),
});

export const routeGroups = pgTable(
  "route_groups",
  {
    id: id(),
    code: text().notNull().unique(),
    name: text().notNull(),
    tradeLaneId: integer()
      .notNull()
      .references(() => tradeLanes.id),
    cargoType: cargoType().notNull(),
  },
  (t) => [index("route_groups_trade_lane_id_idx").on(t.tradeLaneId)],
);

export const routes = pgTable(
  "routes",
  {
    id: id(),
    code: text().notNull().unique(),
    name: text().notNull(),
    routeGroupId: integer()
      .notNull()
      .references(() => routeGroups.id),
    carrierId: integer()
      .notNull()
      .references(() => carriers.id),
    cargoType: cargoType().notNull(),
    originPortId: integer()
      .notNull()
      .references(() => ports.id),
    destinationPortId: integer()
      .notNull()
      .references(() => ports.id),
    distanceNm: integer().notNull(),
    /** Named canals and straits on the way. */
    passages: text().array().notNull().default([]),
    transhipments: smallint().notNull().default(0),
    intermediateCalls: smallint().notNull().default(0),
    /** Sailings a week; below 1 for fortnightly and monthly services. */
    sailingsPerWeek: doublePrecision().notNull(),
    /** ISO weekdays of departure, 1 = Monday. */
    departureWeekdays: smallint().array().notNull(),
    /** The way from port to port, read whole and never searched. */
    waypoints: jsonb().$type<Waypoint[]>().notNull(),
    /** In the cargo type's unit: TEU, tonnes DWT, lane metres, freight tonnes. Per sailing. */
    capacityNominal: integer().notNull(),
    capacityAvailable: integer().notNull(),
    bookingStatus: bookingStatus().notNull(),
    capacityObservedAt: instant().notNull(),
    /** 80–150: the price factor from recent demand, recomputed nightly. */
    popularityPercent: smallint().notNull().default(80),
    /** Grows with every change of the route's data; route documents are cached by it. */
    version: integer().notNull().default(1),
    updatedAt: instant().notNull(),
  },
  (t) => [
    index("routes_route_group_id_idx").on(t.routeGroupId),
    index("routes_origin_port_id_idx").on(t.originPortId),
    index("routes_destination_port_id_idx").on(t.destinationPortId),
    index("routes_carrier_id_idx").on(t.carrierId),
    check("routes_popularity_percent", sql`${t.popularityPercent} between 80 and 150`),
    check("routes_capacity", sql`${t.capacityAvailable} between 0 and ${t.capacityNominal}`),
  ],
);

export const serviceLevels = pgTable(
  "service_levels",
  {
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    level: serviceLevelName().notNull(),
    speedKnots: doublePrecision().notNull(),
    transitDays: smallint().notNull(),
  },
  (t) => [primaryKey({ columns: [t.routeId, t.level] })],
);

export const baseRates = pgTable(
  "base_rates",
  {
    routeId: integer().notNull(),
    serviceLevel: serviceLevelName().notNull(),
    /** ISO 6346 size-type (22G1 …) for containers; `` where the unit alone says it. */
    equipmentType: text().notNull(),
    /** per_container, per_tonne, per_lane_metre, per_freight_tonne. */
    basis: text().notNull(),
    amountCents: integer().notNull(),
    currency: text().notNull(),
    validFrom: day().notNull(),
    validTo: day(),
  },
  (t) => [
    primaryKey({ columns: [t.routeId, t.serviceLevel, t.equipmentType, t.validFrom] }),
    foreignKey({
      columns: [t.routeId, t.serviceLevel],
      foreignColumns: [serviceLevels.routeId, serviceLevels.level],
    }).onDelete("cascade"),
  ],
);

export const surcharges = pgTable(
  "surcharges",
  {
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    /** BAF, LSS, CAF, OTHC, DTHC, ISPS, PSS, GRI, WRS, CGS, SCS, PCS … */
    code: text().notNull(),
    name: text().notNull(),
    amountCents: integer().notNull(),
    currency: text().notNull(),
    basis: text().notNull(),
    mandatory: boolean().notNull(),
    validFrom: day().notNull(),
    validTo: day(),
  },
  (t) => [primaryKey({ columns: [t.routeId, t.code, t.validFrom] })],
);

export const periods = pgTable(
  "periods",
  {
    id: id(),
    code: text().notNull().unique(),
    routeId: integer()
      .notNull()
      .references(() => routes.id, { onDelete: "cascade" }),
    name: text().notNull(),
    startsOn: day().notNull(),
    /** Exclusive; null: still open, and on sale. */
    endsOn: day(),
    freshness: freshness().notNull(),
    successorPeriodId: integer().references((): AnyPgColumn => periods.id),
  },
  (t) => [
    index("periods_route_id_idx").on(t.routeId, t.startsOn),
    check("periods_order", sql`${t.endsOn} > ${t.startsOn}`),
  ],
);

export const reports = pgTable(
  "reports",
  {
    id: bigId(),
    periodId: integer()
      .notNull()
      .references(() => periods.id, { onDelete: "cascade" }),
    type: reportType().notNull(),
    observedAt: instant().notNull(),
    serviceLevel: serviceLevelName().notNull(),
    vessel: text(),
    voyage: text(),
    etd: instant(),
    eta: instant(),
    transitDays: doublePrecision(),
    /** Per unit of the route's rates (see `base_rates.basis`). */
    baseRateCents: integer(),
    surchargesCents: integer(),
    availableCapacity: integer(),
    bookingStatus: bookingStatus(),
    onTimePercent: doublePrecision(),
    meanDelayDays: doublePrecision(),
    /** The operator's own reference of an imported report. */
    externalId: text(),
  },
  (t) => [
    unique("reports_observation_key").on(t.periodId, t.observedAt, t.type, t.serviceLevel),
    check("reports_available_capacity", sql`${t.availableCapacity} >= 0`),
  ],
);

// ── Buying ──────────────────────────────────────────────────────────────────────────────────────────

export const subscriptionTerm = pgEnum("subscription_term", [
  "1_month",
  "2_months",
  "3_months",
  "6_months",
  "12_months",
]);
export const orderKind = pgEnum("order_kind", ["purchase", "renewal", "term_change"]);
export const orderStatus = pgEnum("order_status", ["pending", "paid", "refunded"]);
export const returnReason = pgEnum("return_reason", ["paid_too_late", "account_suspended"]);

export const orders = pgTable(
  "orders",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    kind: orderKind().notNull(),
    status: orderStatus().notNull().default("pending"),
    currency: text().notNull(),
    amountCents: integer().notNull(),
    autoRenew: boolean().notNull(),
    /** Null only between the order's insert and Stripe's answer. */
    paymentIntentId: text().unique(),
    createdAt: instant().notNull(),
    /** Until when a pending order's price is locked. */
    expiresAt: instant().notNull(),
    paidAt: instant(),
    /** Why the payment bought nothing and is refunded in full; null when it bought what was ordered. */
    returnReason: returnReason(),
  },
  (t) => [
    index("orders_account_id_idx").on(t.accountId, t.id),
    index("orders_pending_idx").on(t.id).where(sql`${t.status} = 'pending'`),
    index("orders_returned_idx").on(t.id).where(sql`${t.returnReason} is not null`),
    check("orders_amount", sql`${t.amountCents} >= 0`),
    check("orders_paid", sql`(${t.status} = 'pending') = (${t.paidAt} is null)`),
    check("orders_returned", sql`${t.returnReason} is null or ${t.status} <> 'pending'`),
  ],
);

export const orderLines = pgTable(
  "order_lines",
  {
    id: id(),
    orderId: integer()
      .notNull()
      .references(() => orders.id, { onDelete: "cascade" }),
    periodId: integer()
      .notNull()
      .references(() => periods.id),
    routeId: integer()
      .notNull()
      .references(() => routes.id),
    /** The subscription that is renewed or changed; null for a purchase. */
    subscriptionId: integer().references((): AnyPgColumn => subscriptions.id),
    term: subscriptionTerm().notNull(),
    monthlyCents: integer().notNull(),
    listCents: integer().notNull(),
    termDiscountPercent: smallint().notNull(),
    volumeDiscountPercent: smallint().notNull(),
    discountCents: integer().notNull(),
    /** A change of term only: unused days at the price paid. */
    creditCents: integer().notNull().default(0),
    /** A change of term only: the last paid term whose unused days it credits. Terms paid after that are kept. */
    creditedThroughTermId: integer().references((): AnyPgColumn => paidTerms.id),
    totalCents: integer().notNull(),
  },
  (t) => [
    unique("order_lines_order_period_key").on(t.orderId, t.periodId),
    check(
      "order_lines_total",
      sql`${t.totalCents} = greatest(0, ${t.listCents} - ${t.discountCents} - ${t.creditCents}) and ${t.totalCents} >= 0`,
    ),
  ],
);

export const subscriptions = pgTable(
  "subscriptions",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    routeId: integer()
      .notNull()
      .references(() => routes.id),
    periodId: integer()
      .notNull()
      .references(() => periods.id),
    /** The term bought last. */
    term: subscriptionTerm().notNull(),
    renewalTerm: subscriptionTerm().notNull(),
    startDate: day().notNull(),
    /** The day that month arithmetic counts from, and how many months have been paid since. */
    anchorDate: day().notNull(),
    monthsPaid: integer().notNull(),
    /** Exclusive: the first day without access. */
    endDate: day().notNull(),
    autoRenew: boolean().notNull(),
    cancelledAt: instant(),
    createdAt: instant().notNull(),
  },
  (t) => [
    index("subscriptions_account_id_idx").on(t.accountId, t.id),
    index("subscriptions_route_id_idx").on(t.routeId, t.endDate),
    index("subscriptions_end_date_idx").on(t.endDate),
    check("subscriptions_dates", sql`${t.endDate} > ${t.startDate}`),
  ],
);

/**
 * What has been paid for, one row per order line, with the days as they were sold. Ids rise in the order of payment.
 * Which of those days are still open after changes of term is derived: `app/domain/subscriptions/paid-days.ts`.
 */
export const paidTerms = pgTable(
  "paid_terms",
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    /** Unique: one paid line makes one term, whoever settles it and however often. */
    orderLineId: integer()
      .notNull()
      .unique()
      .references(() => orderLines.id),
    term: subscriptionTerm().notNull(),
    startDate: day().notNull(),
    endDate: day().notNull(),
    totalCents: integer().notNull(),
  },
  (t) => [
    index("paid_terms_subscription_id_idx").on(t.subscriptionId),
    check("paid_terms_dates", sql`${t.endDate} > ${t.startDate}`),
  ],
);

export const paymentMethods = pgTable(
  "payment_methods",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    stripePaymentMethodId: text().notNull().unique(),
    brand: text().notNull(),
    last4: text().notNull(),
    expMonth: smallint().notNull(),
    expYear: smallint().notNull(),
    isDefault: boolean().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [
    uniqueIndex("payment_methods_default_key").on(t.accountId).where(sql`${t.isDefault}`),
    index("payment_methods_account_id_idx").on(t.accountId),
  ],
);

export const payments = pgTable(
  "payments",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    orderId: integer()
      .notNull()
      .unique()
      .references(() => orders.id),
    paymentIntentId: text().notNull().unique(),
    chargeId: text().unique(),
    currency: text().notNull(),
    amountCents: integer().notNull(),
    refundedCents: integer().notNull().default(0),
    disputedAt: instant(),
    cardBrand: text(),
    cardLast4: text(),
    paidAt: instant().notNull(),
  },
  (t) => [
    index("payments_account_id_idx").on(t.accountId, t.id),
    index("payments_disputed_at_idx").on(t.disputedAt).where(sql`${t.disputedAt} is not null`),
    check("payments_refunded", sql`${t.refundedCents} between 0 and ${t.amountCents}`),
  ],
);

/** The last number given out in a year; its row's lock makes the numbering gapless. */
export const invoiceCounters = pgTable("invoice_counters", {
  year: integer().primaryKey(),
  lastNumber: integer().notNull(),
});

export const invoiceKind = pgEnum("invoice_kind", ["invoice", "credit_note"]);

export const invoices = pgTable(
  "invoices",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    orderId: integer()
      .notNull()
      .references(() => orders.id),
    kind: invoiceKind().notNull(),
    year: integer().notNull(),
    number: integer().notNull(),
    currency: text().notNull(),
    /** Negative on a credit note. */
    amountCents: integer().notNull(),
    issuedAt: instant().notNull(),
    /** A credit note's refund at the payment provider: each is credited once. */
    refundId: text().unique(),
  },
  (t) => [
    unique("invoices_number_key").on(t.year, t.number),
    uniqueIndex("invoices_order_id_key").on(t.orderId).where(sql`${t.kind} = 'invoice'`),
    index("invoices_account_id_idx").on(t.accountId, t.id),
    index("invoices_issued_at_idx").on(t.issuedAt),
    check("invoices_sign", sql`(${t.kind} = 'invoice') = (${t.amountCents} >= 0)`),
  ],
);

export const renewalAttemptState = pgEnum("renewal_attempt_state", ["pending", "succeeded", "declined"]);

export const renewalAttempts = pgTable(
  "renewal_attempts",
  {
    id: id(),
    subscriptionId: integer()
      .notNull()
      .references(() => subscriptions.id),
    orderId: integer()
      .notNull()
      .unique()
      .references(() => orders.id),
    /** The end that this attempt would move. */
    endDate: day().notNull(),
    attemptedOn: day().notNull(),
    state: renewalAttemptState().notNull().default("pending"),
    /** Sent to Stripe. */
    idempotencyKey: text().notNull().unique(),
    declineCode: text(),
    createdAt: instant().notNull(),
    settledAt: instant(),
  },
  (t) => [
    unique("renewal_attempts_day_key").on(t.subscriptionId, t.endDate, t.attemptedOn),
    uniqueIndex("renewal_attempts_one_charge_key")
      .on(t.subscriptionId, t.endDate)
      .where(sql`${t.state} in ('pending', 'succeeded')`),
    index("renewal_attempts_declined_idx").on(t.attemptedOn).where(sql`${t.state} = 'declined'`),
  ],
);

/** What the payment provider reported and we have handled, each once: its events, and setups of cards. */
export const webhookEvents = pgTable("webhook_events", {
  id: text().primaryKey(),
  type: text().notNull(),
  handledAt: instant().notNull(),
});

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

// ── Mail ────────────────────────────────────────────────────────────────────────────────────────────

export const outboxMessages = pgTable(
  "outbox_messages",
  {
    id: id(),
    /** What the message is about, so that it is written once: `reminder-7:subscription-12:2026-11-30`. */
    dedupeKey: text().notNull().unique(),
    accountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    toAddress: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull().default(""),
    /** Erased, in both forms, once a mail system has taken it. */
    holdsSecret: boolean().notNull().default(false),
    createdAt: instant().notNull(),
    /** When it is next due; moves forward with every failed try and with every claim. */
    dueAt: instant().notNull(),
    tries: smallint().notNull().default(0),
    sentAt: instant(),
    lastError: text(),
    /** It is not tried any more: refused for good, too often, or by an operator's word. */
    givenUpAt: instant(),
  },
  (t) => [
    index("outbox_messages_due_at_idx").on(t.dueAt).where(sql`${t.sentAt} is null and ${t.givenUpAt} is null`),
    index("outbox_messages_given_up_at_idx").on(t.givenUpAt).where(sql`${t.givenUpAt} is not null`),
  ],
);

// ── Support ─────────────────────────────────────────────────────────────────────────────────────────

export const supportTopic = pgEnum("support_topic", ["technical", "billing", "data", "plan", "other"]);
/** open: the operator is to answer; answered: the holder may; closed: done. */
export const supportStatus = pgEnum("support_status", ["open", "answered", "closed"]);

export const supportRequests = pgTable(
  "support_requests",
  {
    id: id(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    topic: supportTopic().notNull(),
    subject: text().notNull(),
    status: supportStatus().notNull().default("open"),
    /** Of a request for another plan. */
    requestedPlan: planName(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (t) => [
    index("support_requests_account_id_idx").on(t.accountId, t.id),
    index("support_requests_status_idx").on(t.status, t.updatedAt),
    // One wish for a plan at a time.
    uniqueIndex("support_requests_one_plan_key")
      .on(t.accountId)
      .where(sql`${t.topic} = 'plan' and ${t.status} <> 'closed'`),
  ],
);

export const supportMessages = pgTable(
  "support_messages",
  {
    id: id(),
    requestId: integer()
      .notNull()
      .references(() => supportRequests.id, { onDelete: "cascade" }),
    authorAccountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    /** Written by somebody of ours. */
    byOperator: boolean().notNull(),
    body: text().notNull(),
    createdAt: instant().notNull(),
  },
  (t) => [index("support_messages_request_id_idx").on(t.requestId, t.id)],
);

// ── Operations ──────────────────────────────────────────────────────────────────────────────────────

export const importStatus = pgEnum("import_status", ["checked", "refused", "applied", "discarded"]);

/** A file that an operator brought for the catalogue: looked at first, applied on a second word. */
export const catalogueImports = pgTable(
  "catalogue_imports",
  {
    id: id(),
    operatorAccountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    fileName: text().notNull(),
    /** Which of the catalogue's tables the file speaks of. */
    kind: text().notNull(),
    status: importStatus().notNull(),
    /** Erased when it has been applied or discarded. */
    content: text(),
    /** What was found, in numbers. */
    summary: jsonb().$type<Record<string, number>>().notNull().default({}),
    errors: jsonb().$type<{ line: number; column: string; value: string; message: string }[]>().notNull().default([]),
    createdAt: instant().notNull(),
    endedAt: instant(),
  },
  (t) => [index("catalogue_imports_created_at_idx").on(t.createdAt)],
);

/** What the scheduler did, for people to look at; kept for some weeks. */
export const jobRuns = pgTable(
  "job_runs",
  {
    id: bigId(),
    job: text().notNull(),
    startedAt: instant().notNull(),
    /** Null: under way, or its process died. The next run of the job then sets it. */
    endedAt: instant(),
    /** It stopped before its end: the service was shut down, or its process died. */
    interrupted: boolean().notNull().default(false),
    /** What it did, in numbers. */
    outcome: jsonb().$type<Record<string, number>>(),
    /** Of a failed run: what the log says more of. */
    error: text(),
  },
  (t) => [index("job_runs_job_idx").on(t.job, t.startedAt), index("job_runs_started_at_idx").on(t.startedAt)],
);

/** When each job ran last: what says whether it is due, and whether it was missed. */
export const jobStates = pgTable("job_states", {
  job: text().primaryKey(),
  startedAt: instant().notNull(),
  /** The start of the last run that came to its end without a failure. */
  completedAt: instant(),
});

/** What passed between this service and Inngest last, by real time. One row. */
export const inngestContact = pgTable(
  "inngest_contact",
  {
    id: smallint().primaryKey().default(1),
    /** The last call that Inngest made. */
    calledAt: instant(),
    /** The last successful registration. */
    registeredAt: instant(),
    /** Why the last registration failed; null after a success. */
    registrationError: text(),
  },
  (t) => [check("inngest_contact_one_row", sql`${t.id} = 1`)],
);

// ── Usage ───────────────────────────────────────────────────────────────────────────────────────────

export const usageLogs = pgTable(
  "usage_logs",
  {
    id: bigId(),
    accountId: integer().notNull(),
    occurredAt: instant().notNull(),
    method: text().notNull(),
    /** The path's template, for example `/api-keys/{api_key_id}`. */
    endpoint: text().notNull(),
    status: smallint().notNull(),
    durationMs: doublePrecision().notNull(),
    responseBytes: integer().notNull(),
    /** Copied, with its name: the log outlives the key. */
    apiKeyId: integer(),
    apiKeyName: text(),
    routeId: integer(),
    requestId: text().notNull(),
  },
  (t) => [
    index("usage_logs_occurred_at_idx").on(t.accountId, t.occurredAt),
    // What one looks for in a log is rare; most rows are in no need of a second index.
    index("usage_logs_status_idx").on(t.accountId, t.status, t.occurredAt).where(sql`${t.status} <> 200`),
  ],
);

const usageTotals = {
  requests: integer().notNull(),
  errors: integer().notNull(),
  rateLimited: integer().notNull(),
};

/** Kept for ever. `api_key_id` 0: a bearer token. */
export const usageHours = pgTable(
  "usage_hours",
  { accountId: integer().notNull(), hour: instant().notNull(), apiKeyId: integer().notNull(), ...usageTotals },
  (t) => [primaryKey({ columns: [t.accountId, t.hour, t.apiKeyId] })],
);

/** Kept for ever. `api_key_id` 0: a bearer token; `route_id` 0: no route. */
export const usageDays = pgTable(
  "usage_days",
  {
    accountId: integer().notNull(),
    day: day().notNull(),
    apiKeyId: integer().notNull(),
    endpoint: text().notNull(),
    routeId: integer().notNull(),
    ...usageTotals,
    lastAt: instant().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.day, t.apiKeyId, t.endpoint, t.routeId] }),
    index("usage_days_api_key_id_idx").on(t.apiKeyId, t.day),
    // Rows come day by day, so that a day's lie together.
    index("usage_days_day_idx").using("brin", t.day),
  ],
);

/** Of all accounts together, written once a day is over. Kept for ever. */
export const usageServiceDays = pgTable("usage_service_days", {
  day: day().primaryKey(),
  accounts: integer().notNull(),
  requests: bigint({ mode: "number" }).notNull(),
  errors: bigint({ mode: "number" }).notNull(),
  rateLimited: bigint({ mode: "number" }).notNull(),
});

// ── Operation ───────────────────────────────────────────────────────────────────────────────────────

/** Written by every health check, to see that the database takes writes. One row. */
export const healthChecks = pgTable(
  "health_checks",
  { id: smallint().primaryKey().default(1), checkedAt: instant().notNull() },
  (t) => [check("health_checks_one_row", sql`${t.id} = 1`)],
);

// ── Test mode ───────────────────────────────────────────────────────────────────────────────────────

/** How far the test clock runs ahead of the machine's. One row. */
export const testClock = pgTable(
  "test_clock",
  {
    id: smallint().primaryKey().default(1),
    aheadMs: bigint({ mode: "number" }).notNull(),
    /** Where the move under way began, and where it goes. Null: the clock is not being moved. */
    movingFromMs: bigint({ mode: "number" }),
    movingToMs: bigint({ mode: "number" }),
  },
  (t) => [
    check("test_clock_one_row", sql`${t.id} = 1 and ${t.aheadMs} >= 0`),
    check("test_clock_move", sql`(${t.movingFromMs} is null) = (${t.movingToMs} is null)`),
  ],
);

/** The payment simulator's objects (customers, payment intents, charges, refunds …), as Stripe shows them. */
export const simulatorObjects = pgTable(
  "simulator_objects",
  {
    id: text().primaryKey(),
    object: text().notNull(),
    /** The object that this one belongs to: a charge's intent, an intent's customer. */
    parentId: text(),
    body: jsonb().$type<Record<string, unknown>>().notNull(),
    /** What Stripe knows and does not show: a payment method's card number. */
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
