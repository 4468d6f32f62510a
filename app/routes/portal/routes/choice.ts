/**
 * What somebody chose on a route's page, in the page's address. A visitor's choice thus survives signing in and
 * registration, which return to that address.
 */
import { z } from "zod";
import { type Term, term } from "#app/domain/pricing/discounts.ts";
import { idField } from "#app/portal/params.ts";

export type Choice = { periodId: number; term: Term; autoRenew: boolean };

/** `/routes/12?offer=34&term=6_months&auto_renew=off#subscribe` */
export const pathOfChoice = (routeId: number, { periodId, term, autoRenew }: Choice): string => {
  const search = new URLSearchParams({ offer: String(periodId), term, auto_renew: autoRenew ? "on" : "off" });
  return `/routes/${routeId}?${search}#subscribe`;
};

const choice = z.object({
  offer: idField.nullable().catch(null),
  term: term.catch("3_months"),
  auto_renew: z.enum(["on", "off"]).catch("on"),
});

/** Whatever the address does not name, or not in a readable way, is as by default. `periodId` null: the first one on sale. */
export const choiceIn = (search: URLSearchParams): Omit<Choice, "periodId"> & { periodId: number | null } => {
  const { offer, term, auto_renew } = choice.parse(Object.fromEntries(search));
  return { periodId: offer, term, autoRenew: auto_renew === "on" };
};
