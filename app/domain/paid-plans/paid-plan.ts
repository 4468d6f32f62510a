/** What it takes to buy a plan, and what a purchase brings. */
import { type Day, lastDayOf } from "../dates.ts";
import type { Plan } from "../plans/plans.ts";
import { monthsOf, type Term } from "../pricing/discounts.ts";
import { beginTerm, extendTerm, type PaidUntil } from "../subscriptions/term.ts";
import { capitalised, dayInWords } from "../wording.ts";
import { planTerms } from "./policy.ts";

/** `1, 3, 6 or 12 months`. */
export const planTermsInWords = (() => {
  const months = planTerms.map((term) => monthsOf[term]);
  return `${months.slice(0, -1).join(", ")} or ${months.at(-1)} months`;
})();

/** Plans have no discounts, whatever the term. */
export const planTotalCents = (monthlyCents: number, term: Term): number => monthlyCents * monthsOf[term];

/** A plan that was paid for, with its exclusive end. */
export type PaidPlan = PaidUntil & { plan: Plan; startDate: Day };

/** The plan of an account. `paid` is null on the Free plan, and for a plan that an operator has set: it has no end. */
export type HeldPlan = { plan: Plan; paid: PaidPlan | null };

/** Why the account cannot buy the plan now, as a sentence for its holder. Null: it can. */
export const whyNotForSale = ({ plan, paid }: HeldPlan, wanted: Plan, today: Day): string | null => {
  if (plan === "free" || (paid !== null && paid.endDate <= today)) return null;
  if (paid === null)
    return `We have set up your ${capitalised(plan)} plan for you, and it has no end date. Request a change instead`;
  if (plan === wanted) return null;
  return `Your ${capitalised(plan)} plan is paid for. You can buy another plan after its last day, ${dayInWords(lastDayOf(paid.endDate))}. To change earlier, request it`;
};

/** The days that a purchase pays for, and the plan afterwards. A plan that runs is extended from its end. */
export const planAfter = (
  { paid }: HeldPlan,
  { plan, term }: { plan: Plan; term: Term },
  today: Day,
): { startDate: Day; endDate: Day; isExtension: boolean; paid: PaidPlan } => {
  if (paid === null || paid.endDate <= today) {
    const until = beginTerm(today, term);
    return { startDate: today, endDate: until.endDate, isExtension: false, paid: { plan, startDate: today, ...until } };
  }
  const until = extendTerm(paid, term);
  return { startDate: paid.endDate, endDate: until.endDate, isExtension: true, paid: { ...paid, ...until } };
};
