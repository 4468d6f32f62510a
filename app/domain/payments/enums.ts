/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

export const orderKinds = ["purchase", "renewal", "term_change", "plan"] as const;

export const orderStatuses = ["pending", "paid", "refunded"] as const;

/** Why a payment buys nothing and is refunded in full. */
export const returnReasons = ["paid_too_late", "account_suspended", "plan_changed"] as const;

/** `open`: the bank decides. `won`: the payment stays ours. `lost`: it went back. `closed`: ended without a decision. */
export const disputeStatuses = ["open", "won", "lost", "closed"] as const;

export const invoiceKinds = ["invoice", "credit_note"] as const;
