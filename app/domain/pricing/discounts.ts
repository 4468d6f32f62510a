/** Terms and the two discounts, which add up. @spec Terms and discounts */
import { z } from "zod";
import { Refusal } from "../errors.ts";
import { terms } from "./enums.ts";

export { terms };
export type Term = (typeof terms)[number];

/** A term as callers write it: `1_months` is taken for `1_month`. */
export const term = z
  .preprocess(
    (value) => (value === "1_months" ? "1_month" : value),
    z.enum(terms, { error: `Must be one of ${terms.join(", ")}` }),
  )
  .meta({
    description: "1_months is accepted for 1_month.",
    override: { type: "string", enum: [...terms, "1_months"] },
    example: "3_months",
  });

export const monthsOf = {
  "1_month": 1,
  "2_months": 2,
  "3_months": 3,
  "6_months": 6,
  "12_months": 12,
} as const satisfies Record<Term, number>;

export const termDiscountPercent = {
  "1_month": 0,
  "2_months": 5,
  "3_months": 10,
  "6_months": 15,
  "12_months": 25,
} as const satisfies Record<Term, number>;

/** Up to here the table gives a volume discount; beyond, sales and the account agree on one. */
export const largestTableVolume = 20;

/**
 * @param routes distinct routes of the order together with the account's other running subscriptions
 * @param agreedPercent what sales has agreed with the account for 21 routes and more
 * @throws invalid at 21 routes and more without an agreement
 */
export const volumeDiscountPercent = (routes: number, agreedPercent: number | null): number => {
  if (routes > largestTableVolume) {
    if (agreedPercent === null) throw new Refusal("invalid", "Custom pricing: contact sales");
    return agreedPercent;
  }
  return routes >= 11 ? 10 : routes >= 5 ? 5 : 0;
};
