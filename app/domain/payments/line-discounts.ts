/** Why a line costs less than its list price, discount by discount. */
import { percentOf } from "../money.ts";
import type { VolumeDiscountReason } from "../pricing/volume-discount.ts";

export type LineDiscount = {
  percent: number;
  /** Of the list price; both together are the line's discount to the cent. */
  cents: number;
} & ({ kind: "term" } | { kind: "volume"; reason: VolumeDiscountReason | null });

/** The two discounts add up, and are rounded together: the second one takes the rounding. @spec Terms and discounts */
export const lineDiscounts = (line: {
  listCents: number;
  termDiscountPercent: number;
  volumeDiscountPercent: number;
  volumeDiscountReason: VolumeDiscountReason | null;
  discountCents: number;
}): LineDiscount[] => {
  const { listCents, termDiscountPercent, volumeDiscountPercent, volumeDiscountReason, discountCents } = line;
  const both = termDiscountPercent > 0 && volumeDiscountPercent > 0;
  const termCents = both ? Math.min(percentOf(listCents, termDiscountPercent), discountCents) : discountCents;
  const discounts: LineDiscount[] = [
    { kind: "term", percent: termDiscountPercent, cents: termCents },
    {
      kind: "volume",
      percent: volumeDiscountPercent,
      reason: volumeDiscountReason,
      cents: both ? discountCents - termCents : discountCents,
    },
  ];
  return discounts.filter(({ percent }) => percent > 0);
};
