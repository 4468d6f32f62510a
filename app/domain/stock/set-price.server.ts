/** Freezing and overriding prices, by operators and by `npm run catalogue`. */

import type { Tx } from "../../platform/db.server.ts";
import { recordCatalogueAudit } from "../accounts/audit.server.ts";
import type { CatalogueEditor, OperatorCaller } from "../accounts/caller.ts";
import { pricedPeriods } from "../catalogue/browse.server.ts";
import { isOpen } from "../catalogue/period.ts";
import { priceOverrides, releasePrice as release, setPriceOverride } from "../catalogue/price-overrides.server.ts";
import { overrideState, type PriceOverride, type PriceOverrideState } from "../catalogue/price-overrides.ts";
import type { PricedPeriod } from "../catalogue/priced-period.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { conflict, invalid } from "../errors.ts";
import { validate } from "../input.ts";
import { currency } from "../money.ts";
import { calculatedPriceCents, monthlyPriceCents } from "../pricing/quote.ts";
import { findExisting, inCatalogue } from "./change-records.server.ts";
import { priceForm } from "./price-form.ts";
import type { RecordValues } from "./records.ts";

type World = Pick<Context, "db" | "clock">;

/**
 * Freezes or overrides the price of a period, for its route and freshness: later periods of the route with this freshness
 * have it too. Replaces the overrides that would apply from its first day on. Announced renewals keep their price. The
 * values are text, named as in `priceFields`.
 *
 * @throws not_found
 * @throws invalid for each wrong field
 * @throws conflict for a period that has ended or been retired, and to freeze the price of one that is not on sale
 */
export const setPrice = (
  ctx: World,
  by: CatalogueEditor,
  { code, values }: { code: string; values: RecordValues },
): Promise<{ monthlyCents: number }> =>
  inCatalogue(ctx, async (tx) => {
    const input = validate(priceForm, values);
    const period = await findPeriod(ctx, tx, code);
    const now = ctx.clock.now();
    const today = dayOf(now);
    if (period.retiredAt !== null) throw conflict(`The period ${code} is retired. Restore it first`);
    if (period.endsOn !== null && period.endsOn <= today) throw conflict(`The period ${code} has ended`);
    if (input.kind === "freeze" && !isOpen(period, today)) {
      throw conflict(`The period ${code} is not on sale, so it has no price to set`);
    }
    const validFrom = input.valid_from || today;
    if (validFrom < today) throw invalid("valid_from", `Past prices cannot be changed. Enter ${today} or a later day`);
    if (input.valid_to !== null && input.valid_to <= validFrom) {
      throw invalid("valid_to", `Enter a day after the first day, ${validFrom}, or leave it empty`);
    }
    const monthlyCents = input.kind === "freeze" ? monthlyPriceCents(period) : input.monthly_price;
    const { kind, reason, valid_to: validTo } = input;
    const operatorAccountId = "machineUser" in by ? null : by.account.id;
    await setPriceOverride(tx, period, { kind, monthlyCents, reason, validFrom, validTo, operatorAccountId }, now);
    const action = kind === "freeze" ? "period.price_frozen" : "period.price_overridden";
    const details = { code, amount_cents: monthlyCents, currency, valid_from: validFrom, valid_to: validTo, reason };
    await recordCatalogueAudit(tx, by, action, now, details);
    return { monthlyCents };
  });

/**
 * Gives the price of a period back to the calculation.
 *
 * @throws not_found
 * @throws conflict when no operator's price applies today or later
 */
export const releasePrice = (ctx: World, by: CatalogueEditor, { code }: { code: string }): Promise<void> =>
  inCatalogue(ctx, async (tx) => {
    const period = await findPeriod(ctx, tx, code);
    const now = ctx.clock.now();
    if (!(await release(tx, period, now))) throw conflict(`The price of the period ${code} is already calculated`);
    await recordCatalogueAudit(tx, by, "period.price_released", now, { code });
  });

/** How many of a period's overrides the console shows. */
const overridesShown = 20;

export type PeriodPricing = {
  monthlyCents: number;
  calculatedCents: number;
  /** The latest first. */
  overrides: (Omit<PriceOverride, "endedAt"> & { state: PriceOverrideState })[];
};

/** The price of a period, and what operators have done to it. Null: its trade lane has no base price yet. */
export const readPricing = async (ctx: World, _operator: OperatorCaller, id: number): Promise<PeriodPricing | null> => {
  const [period] = await pricedPeriods(ctx, [id]);
  if (!period) return null;
  const today = dayOf(ctx.clock.now());
  const overrides = await priceOverrides(ctx, period, { limit: overridesShown });
  return {
    monthlyCents: monthlyPriceCents(period),
    calculatedCents: calculatedPriceCents(period),
    overrides: overrides.map(({ endedAt, ...override }) => ({
      ...override,
      state: overrideState({ ...override, endedAt }, today),
    })),
  };
};

const findPeriod = async ({ clock }: World, tx: Tx, code: string): Promise<PricedPeriod> => {
  const { id } = await findExisting(tx, "period", code);
  const [period] = await pricedPeriods({ db: tx, clock }, [id]);
  if (!period) throw conflict(`The trade lane of the period ${code} has no base price yet`);
  return period;
};
