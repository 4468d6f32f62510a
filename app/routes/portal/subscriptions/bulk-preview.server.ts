/** What an act on several subscriptions would do to each of them. */
import { z } from "zod";
import type { Caller } from "#app/domain/accounts/caller.ts";
import type { Context } from "#app/domain/context.ts";
import type { Day } from "#app/domain/dates.ts";
import { notFound } from "#app/domain/errors.ts";
import { type Term, term } from "#app/domain/pricing/discounts.ts";
import { reasonAgainst, reasonAgainstAutoRenewal } from "#app/domain/subscriptions/changes.ts";
import { getSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { type NextCharge, nextCharges } from "#app/domain/subscriptions/next-charge.server.ts";
import { maxSelection } from "#app/domain/subscriptions/policy.ts";
import { previewRenewals } from "#app/domain/subscriptions/renew-selection.server.ts";
import type { Subscription } from "#app/domain/subscriptions/subscription.ts";
import { idField } from "#app/portal/params.ts";

const bulkActs = ["renew", "cancel", "auto_renew_on", "auto_renew_off"] as const;
export type BulkAct = (typeof bulkActs)[number];

export type Effect =
  | { kind: "renewed"; term: Term; from: Day; until: Day; amountCents: number }
  /** `spared` is the charge that is no longer made. */
  | { kind: "ends"; on: Day; spared: NextCharge | null; amountCents?: undefined }
  /** Without a charge, a card is missing. */
  | { kind: "renews"; term: Term; charge: NextCharge | null; amountCents?: undefined };

export type BulkLine = { id: number; routeId: number; routeName: string; routeCode: string } & (
  | { effect: Effect; reason: null }
  | { effect: null; reason: string }
);

export type Bulk = { act: BulkAct; ids: number[]; term?: Term | undefined };

const ids = z.array(idField).max(maxSelection);

/** Of a form: `12,15,18`. */
export const idsOf = z
  .string()
  .transform((text): unknown[] => text.split(","))
  .pipe(ids.min(1));

/** What the list asks for: `?act=renew&id=12&id=15`. Anything else is an empty selection. */
export const readBulk = (search: URLSearchParams): Bulk => ({
  act: bulkActs.find((act) => act === search.get("act")) ?? "renew",
  ids: [...new Set(ids.safeParse(search.getAll("id")).data ?? [])],
  term: term.safeParse(search.get("term")).data,
});

type World = Pick<Context, "db" | "clock" | "settings" | "tax">;

/** @throws not_found if one of the subscriptions is not the account's */
export const previewBulk = async (ctx: World, caller: Caller, bulk: Bulk): Promise<BulkLine[]> => {
  if (bulk.act === "renew") return previewRenewal(ctx, caller, bulk);
  const subscriptions = await getSubscriptions(ctx, caller, { ids: bulk.ids });
  if (subscriptions.length < bulk.ids.length) throw notFound("Subscription");
  if (bulk.act === "cancel") {
    return subscriptions.map((each) => lineOf(each, reasonAgainst("cancel", each.status), ending(each)));
  }
  const autoRenew = bulk.act === "auto_renew_on";
  const charges = autoRenew ? await chargesOnceRenewing(ctx, caller, subscriptions) : null;
  return subscriptions.map((each) =>
    lineOf(
      each,
      reasonAgainstAutoRenewal(each, { autoRenew }),
      charges ? { kind: "renews", term: each.renewalTerm, charge: charges.get(each.id) ?? null } : ending(each),
    ),
  );
};

const previewRenewal = async (ctx: World, caller: Caller, bulk: Bulk): Promise<BulkLine[]> =>
  (await previewRenewals(ctx, caller, bulk)).map((renewal) =>
    renewal.reason === null
      ? lineOf(renewal.subscription, null, {
          kind: "renewed",
          term: renewal.line.term,
          from: renewal.from,
          until: renewal.until,
          amountCents: renewal.line.withTax.amountCents,
        })
      : { ...nameOf(renewal.subscription), effect: null, reason: renewal.reason },
  );

type Named = Pick<Subscription, "id" | "routeId" | "routeName" | "routeCode">;

const nameOf = ({ id, routeId, routeName, routeCode }: Named) => ({ id, routeId, routeName, routeCode });

const lineOf = (subscription: Named, reason: string | null, effect: Effect): BulkLine =>
  reason === null ? { ...nameOf(subscription), effect, reason } : { ...nameOf(subscription), effect: null, reason };

const ending = ({ endDate, nextCharge }: Subscription): Effect => ({ kind: "ends", on: endDate, spared: nextCharge });

const chargesOnceRenewing = (ctx: World, { account }: Caller, subscriptions: readonly Subscription[]) =>
  nextCharges(
    ctx,
    subscriptions.map((each) => ({ ...each, autoRenew: true, standing: account.standing })),
  );
