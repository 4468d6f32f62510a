/** Forms with which operators act on an account. */
import { z } from "zod";
import { enteredDay, severalLines } from "../input.ts";
import { plans } from "../plans/plans.ts";
import { highestAgreedPercent } from "../pricing/policy.ts";
import { grouped } from "../wording.ts";

export const highestHourlyLimit = 1_000_000;

const wholeNumber = (message: string, min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);

const longestReason = 500;
/** Browsers send line ends as CRLF. */
const reason = z
  .string()
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .pipe(
    z
      .string()
      .min(3, "Say why. The account holder sees it")
      .max(longestReason)
      .regex(...severalLines),
  );

// Field names are unique across the forms of one page.

export const planChange = z.object({ plan: z.enum(plans, "Choose a plan"), plan_reason: reason });

export const hourlyLimit = z.object({
  hourly_limit: z.union([
    z.literal("").transform(() => null),
    wholeNumber(`A whole number from 1 to ${grouped(highestHourlyLimit)}, or nothing`, 1, highestHourlyLimit),
  ]),
});

export const agreedDiscount = z.object({
  discount_percent: z.union([
    z.literal("").transform(() => null),
    wholeNumber(`A whole number from 1 to ${highestAgreedPercent}, or nothing`, 1, highestAgreedPercent),
  ]),
  discount_through: z.union([z.literal("").transform(() => null), enteredDay]).default(null),
});

/** For suspending and reinstating. */
export const standingChange = z.object({ standing_reason: reason });

export const twoFactorRemoval = z.object({ two_factor_reason: reason });

const dollars = /^\d{1,7}(\.\d{2})?$/;
export const refund = z.object({
  /** US dollars, such as `12.50`. */
  amount: z
    .string()
    .trim()
    .regex(dollars, "Enter an amount such as 12.50")
    .transform((value) => Math.round(Number(value) * 100))
    .refine((cents) => cents > 0, "Must be more than 0"),
  /** The refundable cents when the page was shown. */
  left: z
    .string()
    .regex(/^\d{1,9}$/, "Reload the page")
    .transform(Number),
  reason,
});
