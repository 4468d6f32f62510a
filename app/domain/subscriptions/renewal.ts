/** What a renewal costs differently from a purchase. @spec Subscription, rule 5 */
import { largestTableVolume, volumeDiscountPercent } from "../pricing/discounts.ts";

/**
 * Nobody is asked to contact sales by a renewal: from 21 routes on it takes the discount of 11 to 20, whatever was agreed
 * for the purchase.
 */
export const renewalVolumePercent = (routes: number): number =>
  volumeDiscountPercent(Math.min(Math.max(routes, 1), largestTableVolume), null);
