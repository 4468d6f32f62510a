/** The timeline of a subscription: past payments and upcoming events. */
import { addDays, type Day } from "#app/domain/dates.ts";
import type { Term } from "#app/domain/pricing/discounts.ts";
import { reminderDays } from "#app/domain/subscriptions/policy.ts";
import type { Subscription } from "#app/domain/subscriptions/subscription.ts";

export type Step = {
  on: Day;
  isPast: boolean;
} & (
  | { what: "paid"; id: number; term: Term; until: Day; amountCents: number }
  | { what: "reminder" }
  | { what: "charge"; amountCents: number; term: Term }
  | { what: "end" }
);

type Paid = { id: number; term: Term; startDate: Day; endDate: Day; totalCents: number };
type Current = Pick<Subscription, "status" | "endDate" | "renewalTerm" | "nextCharge">;

export const timelineOf = (
  { status, endDate, renewalTerm, nextCharge }: Current,
  paid: readonly Paid[],
  today: Day,
): Step[] => {
  const bought = paid.map(({ id, startDate, endDate, term, totalCents }) => ({
    what: "paid" as const,
    id,
    on: startDate,
    isPast: startDate <= today,
    term,
    until: endDate,
    amountCents: totalCents,
  }));
  if (status === "expired") return [...bought, { what: "end", on: endDate, isPast: true }];
  // With a charge ahead, only the first reminder is sent.
  const reminders = reminderDays
    .slice(0, nextCharge ? 1 : reminderDays.length)
    .map((days) => ({ what: "reminder" as const, on: addDays(endDate, -days), isPast: false }))
    .filter(({ on }) => on > today && status !== "cancelled");
  const last: Step = nextCharge
    ? { what: "charge", on: nextCharge.date, isPast: false, amountCents: nextCharge.amountCents, term: renewalTerm }
    : { what: "end", on: endDate, isPast: false };
  return [...bought, ...reminders, last];
};
