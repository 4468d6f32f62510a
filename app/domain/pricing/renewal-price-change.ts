/** How a renewal's price moved. The database stores it with the announced price, so this file imports nothing. */

/**
 * - `set_by_operator`: the monthly price changed, and an operator sets it now or had set it then.
 * - `list_price`: the monthly price changed in another way than by its factors or an operator.
 */
export const renewalPriceReasons = [
  "base_price",
  "freshness",
  "popularity",
  "set_by_operator",
  "list_price",
  "volume_discount",
] as const;
export type RenewalPriceReason = (typeof renewalPriceReasons)[number];

export type RenewalPriceChange = {
  /** What was last paid for the same route and term, before any credit. */
  previousCents: number;
  /** What has changed since. Empty if nothing has, or if the earlier factors are not known. */
  reasons: RenewalPriceReason[];
  /** The price of the day is higher; the renewal costs as much as the cap allows. */
  isCapped: boolean;
};
