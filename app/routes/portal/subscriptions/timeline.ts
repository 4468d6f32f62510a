/** The timeline of a subscription: payments and terms so far, and what comes next. */
import { addDays, type Day, dayOf, lastDayOf } from "#app/domain/dates.ts";
import type { Term } from "#app/domain/pricing/discounts.ts";
import type { PaidTerm } from "#app/domain/subscriptions/list.server.ts";
import { reminderDays } from "#app/domain/subscriptions/policy.ts";
import type { Subscription } from "#app/domain/subscriptions/subscription.ts";

export type Step = {
  on: Day;
  isPast: boolean;
} & (
  | {
      what: "payment";
      /** Of the paid term. */
      id: number;
      term: Term;
      firstDay: Day;
      lastDay: Day;
      amountCents: number;
      invoice: PaidTerm["invoice"];
      /** Set when the bank returned the payment, which ended the term. */
      endedOn: Day | null;
    }
  /** The latest charge of the renewal failed; `message` says why and what to do. */
  | { what: "failed_charge"; message: string }
  | { what: "cancellation" }
  | { what: "reminder" }
  /** `isAnnounced`: the reminder that fixes the price has been sent. */
  | { what: "charge"; amountCents: number; term: Term; isRetry: boolean; isAnnounced: boolean }
  /** The current term ends, and the next one begins if its charge succeeds. */
  | { what: "next_term"; lastDay: Day }
  | { what: "end"; lastDay: Day }
);

type Current = Pick<Subscription, "status" | "endDate" | "renewalTerm" | "nextCharge" | "cancelledAt"> & {
  renewal: Pick<Subscription["renewal"], "lastFailure">;
};

/** Oldest first. */
export const timelineOf = (subscription: Current, paid: readonly PaidTerm[], today: Day): Step[] => [
  ...[...paid.map(paymentOf), ...otherPastSteps(subscription)].sort((a, b) => (a.on < b.on ? -1 : a.on > b.on ? 1 : 0)),
  ...(subscription.status === "expired" ? [endOf(subscription, true)] : comingSteps(subscription, today)),
];

const paymentOf = ({ id, term, startDate, endDate, amountCents, paidOn, invoice, endedOn }: PaidTerm): Step => ({
  what: "payment",
  on: paidOn,
  isPast: true,
  id,
  term,
  firstDay: startDate,
  lastDay: lastDayOf(endDate),
  amountCents,
  invoice,
  endedOn,
});

const otherPastSteps = ({ cancelledAt, renewal: { lastFailure } }: Current): Step[] => [
  ...(lastFailure
    ? [{ what: "failed_charge" as const, on: dayOf(lastFailure.at), isPast: true, message: lastFailure.message }]
    : []),
  ...(cancelledAt ? [{ what: "cancellation" as const, on: dayOf(cancelledAt), isPast: true }] : []),
];

const comingSteps = (subscription: Current, today: Day): Step[] => {
  const { status, endDate, renewalTerm, nextCharge, renewal } = subscription;
  // With a charge ahead, only the first reminder is sent.
  const reminders = reminderDays
    .slice(0, nextCharge ? 1 : reminderDays.length)
    .map((days) => ({ what: "reminder" as const, on: addDays(endDate, -days), isPast: false }))
    .filter(({ on }) => on > today && status !== "cancelled");
  if (!nextCharge) return [...reminders, endOf(subscription, false)];
  const { date, amountCents } = nextCharge;
  return [
    ...reminders,
    {
      ...{ what: "charge" as const, on: date, isPast: false, amountCents, term: renewalTerm },
      ...{ isRetry: renewal.lastFailure !== null, isAnnounced: reminders.length === 0 },
    },
    { what: "next_term", on: endDate, isPast: false, lastDay: lastDayOf(endDate) },
  ];
};

const endOf = ({ endDate }: Current, isPast: boolean): Step => ({
  what: "end",
  on: endDate,
  isPast,
  lastDay: lastDayOf(endDate),
});
