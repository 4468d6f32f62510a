/** Prices of plans, as operators set them. Without one, a plan is sold on request. */
import { recordCatalogueAudit } from "../accounts/audit.server.ts";
import type { CatalogueEditor, OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict, invalid } from "../errors.ts";
import { currency, money } from "../money.ts";
import { smallestChargeCents } from "../payments/order.ts";
import type { Plan } from "../plans/plans.ts";
import type { SoldPlan } from "./policy.ts";
import * as queries from "./queries.server.ts";

/** The price per month of each plan that has one now, in cents before tax. */
export type PlanPrices = Partial<Record<Plan, number>>;

export const planPrices = async (ctx: Pick<Context, "db">): Promise<PlanPrices> =>
  Object.fromEntries(
    (await queries.latestPrices(ctx.db)).flatMap(({ plan, monthlyCents }) =>
      monthlyCents === null ? [] : [[plan, monthlyCents]],
    ),
  );

export type PlanPriceChange = {
  id: number;
  plan: Plan;
  /** Null: withdrawn. */
  monthlyCents: number | null;
  validFrom: Date;
  /** Null: set by command. */
  operator: string | null;
};

/** All changes of prices, newest first. */
export const planPriceHistory = (ctx: Pick<Context, "db">, _operator: OperatorCaller): Promise<PlanPriceChange[]> =>
  queries.priceHistory(ctx.db);

/**
 * Sets the price per month of a plan from now on, or withdraws it. Open orders keep their locked price; what is paid for
 * does not change.
 *
 * @param input.monthlyCents before tax; null: on request again
 * @throws conflict when the plan has that price already
 * @throws invalid `monthly_price` when a month costs less than a card can be charged
 */
export const setPlanPrice = (
  ctx: Pick<Context, "db" | "clock">,
  by: CatalogueEditor,
  { plan, monthlyCents }: { plan: SoldPlan; monthlyCents: number | null },
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    if (monthlyCents !== null && monthlyCents < smallestChargeCents) {
      throw invalid(
        "monthly_price",
        `Enter at least ${money(smallestChargeCents, currency)}, the smallest card payment`,
      );
    }
    await queries.lockPrices(tx);
    const { [plan]: former = null } = await planPrices({ db: tx });
    if (former === monthlyCents) {
      throw conflict(
        monthlyCents === null ? `The ${plan} plan has no price` : `The ${plan} plan has this price already`,
      );
    }
    const now = ctx.clock.now();
    const operatorAccountId = "machineUser" in by ? null : by.account.id;
    await queries.insertPrice(tx, { plan, monthlyCents, validFrom: now, operatorAccountId });
    const details = { plan, amount_cents: monthlyCents, former_cents: former, currency };
    await recordCatalogueAudit(tx, by, monthlyCents === null ? "plan.price_withdrawn" : "plan.price_set", now, details);
  });
