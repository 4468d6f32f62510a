/** The terms of a subscription. @spec Terms and discounts */
import { z } from "zod";
import { terms } from "./enums.ts";

export { terms };
export type Term = (typeof terms)[number];

/** A term as callers write it. Accepts `1_months` for `1_month`. */
export const term = z
  .preprocess((value) => (value === "1_months" ? "1_month" : value), z.enum(terms))
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
