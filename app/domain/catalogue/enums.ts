/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

export const cargoTypes = ["container", "bulk", "ro_ro", "break_bulk"] as const;

export const serviceLevelNames = ["express", "standard", "economy"] as const;

export const freshnesses = ["real_time", "daily", "weekly"] as const;

export const bookingStatuses = ["open", "limited", "full", "closed"] as const;

export const reportTypes = ["rate", "capacity", "schedule", "performance"] as const;

/** The direction of a trade lane: head hauls carry most of the cargo, back hauls return. */
export const hauls = ["head_haul", "back_haul"] as const;

/** What operators do to a price: hold it as it is, or set another one. */
export const priceOverrideKinds = ["freeze", "override"] as const;

/**
 * Why a period's price is recorded: its first price, the factor that has changed, or what an operator did: set it, or gave
 * it back to the calculation (`release`).
 */
export const priceChangeReasons = [
  "initial",
  "base_price",
  "freshness",
  "popularity",
  ...priceOverrideKinds,
  "release",
] as const;

/** When a route's open period gives way to the next: at the end of its quarter, or only by an operator. */
export const periodPolicies = ["quarterly", "open_ended"] as const;
