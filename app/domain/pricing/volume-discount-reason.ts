/** Why a volume discount was given. The database stores it with each line, so this file imports nothing. */

/** Both ends inclusive. `toRoutes` null: without an upper end. */
export type RouteRange = { fromRoutes: number; toRoutes: number | null };

/** Stored with every line that it was given for, so that a new table does not reword old invoices. */
export type VolumeDiscountReason =
  | ({ kind: "tier" } & RouteRange)
  | { kind: "agreed" }
  | { kind: "quote"; quoteId: number };
