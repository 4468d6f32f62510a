/** Which days a paid order line buys. `fulfilment.server.ts` carries it out, and checkout shows it before the payment. */
import type { Day } from "../dates.ts";
import type { OrderKind } from "../payments/order.ts";
import type { Term } from "../pricing/discounts.ts";
import { type BoughtTerm, paidDays, splitForChange } from "./paid-days.ts";
import { beginTerm, extendTerm, type PaidUntil, replaceTerm } from "./term.ts";

export type Held = PaidUntil & { id: number };

export type LineFacts<Row extends Held> = {
  kind: OrderKind;
  term: Term;
  /** The subscription that the line renews or changes. Null for a purchase. */
  own: Row | null;
  /** The account's active subscription to the line's period: `own` if that is running. */
  running: Row | null;
  /** The automatic renewal charge that created the order, with the end that it renews. */
  charge: { endDate: Day } | null;
  /** What was paid for `own`, oldest first. For a change of term. */
  bought: readonly BoughtTerm[];
  /** For a change of term: the last paid term whose unused days are credited. */
  creditedThroughTermId: number | null;
};

export type LinePlan<Row extends Held> = {
  /** The days that the line pays for. */
  startDate: Day;
  /** Exclusive. */
  endDate: Day;
  /** The subscription afterwards. */
  paid: PaidUntil;
} & (
  | { act: "begin"; subscription: null; keepsAutoRenewal: false }
  /**
   * `extend` adds days behind those paid for. `restart` and `replace` begin today. Auto-renewal stays as the account holder has set
   * it, or becomes that of the order.
   */
  | { act: "extend" | "restart" | "replace"; subscription: Row; keepsAutoRenewal: boolean }
);

export const planLine = <Row extends Held>(today: Day, facts: LineFacts<Row>): LinePlan<Row> => {
  switch (facts.kind) {
    case "purchase":
      return facts.running
        ? extend(facts.running, facts.term, { keepsAutoRenewal: false })
        : { ...fromToday(today, facts.term), ...newOne };
    case "renewal":
      return planRenewal(today, facts);
    case "term_change":
      return planTermChange(today, facts);
    case "plan":
      throw new Error("An order of a plan has no lines");
  }
};

const newOne = { act: "begin", subscription: null, keepsAutoRenewal: false } as const;

/**
 * Extends the subscription, or a newer one to the same period that replaced it. An expired subscription begins again
 * today, unless it was charged before its end and the charge is only settled now.
 */
const planRenewal = <Row extends Held>(today: Day, { own, running, charge, term }: LineFacts<Row>): LinePlan<Row> => {
  if (!own) throw new Error("A renewal names no subscription");
  const target = running ?? (charge?.endDate === own.endDate ? own : null);
  const keepsAutoRenewal = true;
  return target
    ? extend(target, term, { keepsAutoRenewal })
    : { ...fromToday(today, term), act: "restart", subscription: own, keepsAutoRenewal };
};

/**
 * The new term begins today and replaces the days that it credits. Terms bought while the change waited for its payment
 * follow it. If the credited days have run out by now, there is nothing to replace: the term is then added as a renewal.
 */
const planTermChange = <Row extends Held>(today: Day, facts: LineFacts<Row>): LinePlan<Row> => {
  const { own, bought, creditedThroughTermId, term } = facts;
  const { replaced, following } = splitForChange(paidDays(bought), creditedThroughTermId, today);
  if (!own || replaced.length === 0) return planRenewal(today, facts);
  const paid = replaceTerm(
    today,
    term,
    following.map((each) => each.term),
  );
  return { ...fromToday(today, term), paid, act: "replace", subscription: own, keepsAutoRenewal: false };
};

const fromToday = (today: Day, term: Term) => {
  const paid = beginTerm(today, term);
  return { startDate: today, endDate: paid.endDate, paid };
};

const extend = <Row extends Held>(
  subscription: Row,
  term: Term,
  { keepsAutoRenewal }: { keepsAutoRenewal: boolean },
): LinePlan<Row> => {
  const paid = extendTerm(subscription, term);
  return {
    startDate: subscription.endDate,
    endDate: paid.endDate,
    paid,
    act: "extend",
    subscription,
    keepsAutoRenewal,
  };
};
