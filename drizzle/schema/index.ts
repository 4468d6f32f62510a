/**
 * Every table of the service, one file per module. Constraints protect what concurrent writers could break; other rules
 * live in the domain. What drizzle cannot express (the exclusion constraint against overlapping subscriptions) is in a
 * hand-written migration.
 *
 * Money: integer minor units (`*_cents`). Dates: UTC. Ids: integers.
 */
export * from "./accounts.ts";
export * from "./alerts.ts";
export * from "./api-keys.ts";
export * from "./audit.ts";
export * from "./benchmarks.ts";
export * from "./billing-details.ts";
export * from "./calendar.ts";
export * from "./catalogue.ts";
export * from "./changes.ts";
export * from "./health.ts";
export * from "./idempotency.ts";
export * from "./imports.ts";
export * from "./jobs.ts";
export * from "./notifications.ts";
export * from "./paid-plans.ts";
export * from "./payments.ts";
export * from "./quotes.ts";
export * from "./rate-limit.ts";
export * from "./renewals.ts";
export * from "./saved-searches.ts";
export * from "./schedules.ts";
export * from "./simulator.ts";
export * from "./subscriptions.ts";
export * from "./support.ts";
export * from "./test-mode.ts";
export * from "./usage.ts";
export * from "./webhooks.ts";
