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
 * @param routes distinct routes of the order together with the account's other active subscriptions
 * @param agreedPercent what sales has agreed with the account, for orders beyond the table
 * @throws invalid beyond the table without an agreement
 */
export const volumeDiscount = (routes: number, agreedPercent: number | null): VolumeDiscount => {
  if (needsSales(routes, agreedPercent)) throw contactSales();
  if (routes < customPricingFromRoutes || agreedPercent === null) return tierDiscount(volumeRanges, routes);
  return { percent: agreedPercent, reason: { kind: "agreed" } };
};

/** Whether so many routes have no price until sales has agreed to one. */
export const needsSales = (routes: number, agreedPercent: number | null): boolean =>
  routes >= customPricingFromRoutes && agreedPercent === null;

/** @param salesPath the page of the portal that requests a quote */
export const contactSales = (salesPath?: string) =>
  new Refusal("invalid", "Custom pricing: contact sales", salesPath === undefined ? {} : { salesPath });

/**
 * A renewal never has to wait for sales: beyond the table it takes the agreed discount, else the last tier.
 *
 * @param routes of the account's active subscriptions, the renewed one included
 * @param agreedPercent what is agreed with the account on the day of the charge
 */
export const renewalVolumeDiscount = (routes: number, agreedPercent: number | null = null): VolumeDiscount =>
  routes >= customPricingFromRoutes && agreedPercent !== null
    ? { percent: agreedPercent, reason: { kind: "agreed" } }
    : tierDiscount(renewalRanges, routes);

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

/** `for 5 to 10 routes`, `as agreed`, `of quote 12`. */
export const volumeReasonInWords = (reason: VolumeDiscountReason): string => {
  switch (reason.kind) {
    case "tier":
      return `for ${routesInWords(reason)}`;
    case "agreed":
      return "as agreed";
    case "quote":
      return `of quote ${reason.quoteId}`;
  }
};

/** `21 routes or more`. */
export const customPricingInWords = routesInWords({ fromRoutes: customPricingFromRoutes, toRoutes: null });

/** The whole table: `5 to 10 routes: 5% off. … 21 routes or more: custom pricing.` */
export const volumeDiscountsInWords = [
  ...volumeRanges.map((range) => `${routesInWords(range)}: ${range.percent}% off.`),
  `${customPricingInWords}: custom pricing.`,
].join(" ");
