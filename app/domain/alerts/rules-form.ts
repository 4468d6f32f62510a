/** The rules of a watch as people enter them. An empty field turns a rule off. */
import { z } from "zod";
import { minorUnits } from "../money.ts";
import { thresholdCurrency } from "./decide.ts";
import type { WatchRules } from "./watch.ts";

/** The largest value of an integer column. */
const largest = 2_147_483_647;

const whole = (max: number, message: string) =>
  z
    .string()
    .trim()
    .regex(/^(|[1-9]\d{0,9})$/, message)
    .transform((text) => (text === "" ? null : Number(text)))
    .refine((value) => value === null || value <= max, message)
    .default(null);

const amount = z
  .string()
  .trim()
  .transform((text) => (text === "" ? null : (minorUnits(text.replaceAll(",", ""), thresholdCurrency) ?? Number.NaN)))
  .refine(
    (cents) => cents === null || (cents > 0 && cents <= largest),
    "Must be an amount in US dollars, such as 4200 or 4200.50",
  )
  .default(null);

const ticked = z
  .literal("on")
  .optional()
  .transform((value) => value === "on");

export const rulesForm = z
  .object({
    rate_change_percent: whole(100, "Must be a whole number from 1 to 100"),
    all_in_below: amount,
    all_in_above: amount,
    capacity_below: whole(largest, "Must be a whole number of at least 1"),
    booking_status: ticked,
    schedule_slip_days: whole(60, "Must be a whole number from 1 to 60"),
    stale_data: ticked,
  })
  .refine(
    ({ all_in_below, all_in_above }) => all_in_below === null || all_in_above === null || all_in_below <= all_in_above,
    {
      path: ["all_in_above"],
      message: "Must not be less than the lower threshold",
    },
  )
  .transform(
    (form): WatchRules => ({
      rateChangePercent: form.rate_change_percent,
      allInBelowCents: form.all_in_below,
      allInAboveCents: form.all_in_above,
      capacityBelow: form.capacity_below,
      bookingStatus: form.booking_status,
      scheduleSlipDays: form.schedule_slip_days,
      staleData: form.stale_data,
    }),
  );
