/** Splits a line's discount into its term and volume discounts, for display. */
import { percentOf } from "../money.ts";
import type { VolumeDiscountReason } from "../pricing/volume-discount-reason.ts";

export type LineDiscount = {
  percent: number;
  /** Part of the list price. The discounts of a line add up to its total discount to the cent. */
  cents: number;
} & ({ kind: "term" } | { kind: "volume"; reason: VolumeDiscountReason | null });

/** The discounts are rounded together, so the volume discount takes the rounding difference. @spec Terms and discounts */
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
