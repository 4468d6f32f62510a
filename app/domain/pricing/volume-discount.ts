/** The discount for running several routes: how much, and why. @spec Terms and discounts */
import { Refusal } from "../errors.ts";
import { customPricingFromRoutes, volumeTiers } from "./policy.ts";
import type { RouteRange, VolumeDiscountReason } from "./volume-discount-reason.ts";

export type VolumeDiscount = { percent: number; reason: VolumeDiscountReason | null };

type TierRange = RouteRange & { percent: number };

const rangesUpTo = (lastRoutes: number | null): readonly TierRange[] =>
  volumeTiers.map((tier, index) => {
    const next = volumeTiers[index + 1];
    return { ...tier, toRoutes: next ? next.fromRoutes - 1 : lastRoutes };
  });

/** The tiers with both ends. */
export const volumeRanges = rangesUpTo(customPricingFromRoutes - 1);
const renewalRanges = rangesUpTo(null);

/**
 * @param routes distinct routes of the order together with the account's other running subscriptions
 * @param agreedPercent what sales has agreed with the account, for orders beyond the table
 * @throws invalid beyond the table without an agreement
 */
export const volumeDiscount = (routes: number, agreedPercent: number | null): VolumeDiscount => {
  if (routes < customPricingFromRoutes) return tierDiscount(volumeRanges, routes);
  if (agreedPercent === null) throw new Refusal("invalid", "Custom pricing: contact sales");
  return { percent: agreedPercent, reason: { kind: "agreed" } };
};

/**
 * A renewal never has to wait for sales: beyond the table it takes the last tier, whatever was agreed for the purchase.
 *
 * @param routes of the account's running subscriptions, the renewed one included
 */
export const renewalVolumeDiscount = (routes: number): VolumeDiscount => tierDiscount(renewalRanges, routes);

const tierDiscount = (ranges: readonly TierRange[], routes: number): VolumeDiscount => {
  const tier = ranges.findLast(({ fromRoutes }) => fromRoutes <= routes);
  if (!tier) return { percent: 0, reason: null };
  const { percent, fromRoutes, toRoutes } = tier;
  return { percent, reason: { kind: "tier", fromRoutes, toRoutes } };
};

/** `5 to 10 routes`, `11 routes or more`. */
export const routesInWords = ({ fromRoutes, toRoutes }: RouteRange): string => {
  if (toRoutes === null) return `${fromRoutes} routes or more`;
  return fromRoutes === toRoutes ? `${fromRoutes} routes` : `${fromRoutes} to ${toRoutes} routes`;
};

/** `for 5 to 10 routes`, `as agreed`. */
export const volumeReasonInWords = (reason: VolumeDiscountReason): string =>
  reason.kind === "agreed" ? "as agreed" : `for ${routesInWords(reason)}`;

/** `21 routes or more`. */
export const customPricingInWords = routesInWords({ fromRoutes: customPricingFromRoutes, toRoutes: null });

/** The whole table: `5 to 10 routes: 5% off. … 21 routes or more: custom pricing.` */
export const volumeDiscountsInWords = [
  ...volumeRanges.map((range) => `${routesInWords(range)}: ${range.percent}% off.`),
  `${customPricingInWords}: custom pricing.`,
].join(" ");
