/** An operator's price is the price in every place that names or charges one. */
import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditLog, periodPrices, priceOverrides, routes } from "#drizzle/schema/index.ts";
import { call } from "../../testing/api-client.ts";
import { subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { openSession } from "../accounts/session.server.ts";
import { summariesOf } from "../catalogue/browse.server.ts";
import { setPopularity } from "../catalogue/popularity.server.ts";
import { priceHistory, recordPrices } from "../catalogue/price-history.server.ts";
import { Refusal } from "../errors.ts";
import { memoryRateLimiter } from "../rate-limit/memory.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { recomputePopularity } from "../subscriptions/popularity.server.ts";
import { remindExpiring } from "../subscriptions/remind.server.ts";
import { moveToSuccessors } from "../subscriptions/succession.server.ts";
import { changeRecord, createRecord, restoreRecord, retireRecord } from "./change-records.server.ts";
import { readPricing, releasePrice, setPrice } from "./set-price.server.ts";

let world: World;
let operator: OperatorCaller;
let routeId: number;
let code: string;
let periodId: number;
beforeAll(async () => {
  world = await createWorld({ webhooks: false, routeCodes: ["C-CNSHA-NLRTM-PEL9"] });
  operator = await world.operator();
  routeId = world.routes[0]?.id ?? 0;
  const period = await periodOnSale();
  code = period.code;
  periodId = period.id;
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.ctx.db.delete(priceOverrides);
  await world.ctx.db.delete(periodPrices);
  world.clock.set("2026-11-20T09:30:00Z");
  await setPopularity(world.ctx.db, [routeId], 80);
  await recordPrices(world.ctx.db, world.clock.now());
  world.ctx.rateLimiter = memoryRateLimiter();
});

const periodOnSale = async () => {
  const [period] = (await summariesOf(world.ctx, [routeId]))[0]?.periods ?? [];
  if (!period) throw new Error("No period is on sale");
  return period;
};
const at = (day: string) => world.clock.set(`${day}T03:17:00Z`);
const values = { kind: "override", monthly_price: "123.45", valid_from: "", valid_to: "", reason: "Agreed with sales" };
const override = (more: Record<string, string> = {}) =>
  setPrice(world.ctx, operator, { code, values: { ...values, ...more } });
const freeze = (more: Record<string, string> = {}) =>
  setPrice(world.ctx, operator, { code, values: { kind: "freeze", reason: "Spring campaign", ...more } });
const release = () => releasePrice(world.ctx, operator, { code });
const pricing = async () =>
  (await readPricing(world.ctx, operator, periodId)) ?? { monthlyCents: 0, calculatedCents: 0 };
const reasons = async () => (await priceHistory(world.ctx, { routeId, limit: 20 })).map(({ reason }) => reason);
const newest = async () => (await priceHistory(world.ctx, { routeId, limit: 1 }))[0];
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Refusal)) throw new Error(`Not refused: ${error}`);
  return error.fields.length === 0 ? error.message : error.fields.map(({ path, message }) => `${path}: ${message}`)[0];
};

/** A month of the period, wherever a customer meets its price. */
const pricesShown = async () => {
  const { account, caller } = await world.account();
  const { token } = await openSession(world.ctx, account, "bearer", { ipAddress: "192.0.2.1", userAgent: "tests" });
  const ask = async (method: "GET" | "POST", path: string, body?: object) =>
    (await call(world, method, path, body ? { token, body } : { token })).body;
  const item = { period_id: periodId, subscription_term: "1_month" };
  const listed = await ask("GET", "/route-access/all-routes?sort=price");
  const single = await ask("POST", "/subscriptions/calculate-single-route-price", item);
  const basket = await ask("POST", "/subscriptions/calculate-subscription-price", { items: [item] });
  const intent = await ask("POST", "/subscriptions/create-payment-intent", item);
  const order = await checkout(world.ctx, caller, { items: [{ periodId, term: "1_month" }], autoRenew: true });
  return {
    browse: listed.routes[0].periods[0].monthly_cents,
    single: single.total_cents,
    basket: basket.total_cents,
    intent: intent.amount_cents,
    checkout: order.amountCents,
    history: (await newest())?.monthlyCents,
  };
};

describe("A price that an operator has overridden", () => {
  it("is quoted, charged and answered by the API, and follows the calculation again once it is released", async () => {
    const calculated = await pricesShown();
    expect(new Set(Object.values(calculated)).size).toBe(1);
    await override();
    const cents = 12_345;
    const everywhere = { browse: cents, single: cents, basket: cents, intent: cents, checkout: cents, history: cents };
    expect(await pricesShown()).toEqual(everywhere);
    expect(await pricing()).toMatchObject({ monthlyCents: cents, calculatedCents: calculated.single });
    world.clock.set("2026-11-20T09:31:00Z");
    await release();
    expect(await pricesShown()).toEqual(calculated);
    expect((await reasons()).slice(0, 2)).toEqual(["release", "initial"]);
  });

  it("is named by the API, and gives the route's document a new version", async () => {
    const { caller, token } = await world.account();
    await subscribe(world, caller, { periodId });
    const path = `/route-access/routes-data?id=${routeId}`;
    const before = await call(world, "GET", path, { token });
    expect(before.body.periods[0]).toMatchObject({ price_set_by_operator: false });
    await override();
    const after = await call(world, "GET", path, { token, headers: { "If-None-Match": before.headers.ETag ?? "" } });
    expect(after.body.periods[0]).toMatchObject({ price_set_by_operator: true, monthly_cents: 12_345 });
    expect(JSON.stringify(after.body)).not.toContain("Agreed with sales");
  });

  it("is what a subscription renews at, up to the price cap", async () => {
    const { caller, token } = await world.account();
    const { id } = await subscribe(world, caller, { periodId });
    await override();
    const { body } = await call(world, "GET", "/subscriptions/my-routes", { token });
    const one = body.subscriptions.find((each: { id: number }) => each.id === id);
    const paidCents = one.renewal.price_change.previous_amount_cents;
    expect(one.renewal.price_change).toMatchObject({ capped: true });
    expect(one.next_charge.amount_cents).toBe(Math.floor((paidCents * 110) / 100));
  });

  it("does not change a renewal price that has been announced", async () => {
    const { account, caller } = await world.account();
    const { id } = await subscribe(world, caller, { periodId });
    const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
    at("2026-12-13");
    await remindExpiring(world.ctx);
    const nextCharge = async () => {
      const { token } = await openSession(world.ctx, account, "bearer", origin);
      const { body } = await call(world, "GET", "/subscriptions/my-routes", { token });
      return body.subscriptions.find((each: { id: number }) => each.id === id).next_charge;
    };
    const announced = await nextCharge();
    await override();
    expect((await pricing()).monthlyCents).toBe(12_345);
    expect(announced.amount_cents).not.toBe(12_345);
    expect(await nextCharge()).toEqual(announced);
  });

  it("applies on its days only, and its end is recorded", async () => {
    await override({ valid_from: "2026-11-22", valid_to: "2026-11-24" });
    const prices: number[] = [];
    for (const day of ["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-24"]) {
      at(day);
      await recomputePopularity(world.ctx);
      prices.push((await pricing()).monthlyCents);
    }
    const { calculatedCents } = await pricing();
    expect(prices).toEqual([calculatedCents, 12_345, 12_345, calculatedCents]);
    expect((await newest())?.reason).toBe("release");
  });

  it("replaces another from its first day on, and leaves the days before", async () => {
    await override();
    await override({ monthly_price: "99.00", valid_from: "2026-12-01" });
    expect((await pricing()).monthlyCents).toBe(12_345);
    at("2026-12-01");
    expect((await pricing()).monthlyCents).toBe(9_900);
    await override({ monthly_price: "98.00" });
    expect((await pricing()).monthlyCents).toBe(9_800);
    await release();
    expect((await pricing()).monthlyCents).toBe((await pricing()).calculatedCents);
  });

  it.each([
    [{ monthly_price: "" }, /^monthly_price: Enter an amount/],
    [{ monthly_price: "0" }, /^monthly_price: Must be more than 0/],
    [{ monthly_price: "100000.01" }, /^monthly_price: Must be at most/],
    [{ valid_from: "2026-11-19" }, /^valid_from: Past prices cannot be changed/],
    [{ valid_to: "2026-11-20" }, /^valid_to: Enter a day after the first day/],
    [{ reason: " " }, /^reason: Say why/],
    [{ kind: "give_away" }, /^kind: Choose one/],
    [{ kind: "freeze" }, /^monthly_price: A freeze keeps the present price/],
    [{ kind: "freeze", monthly_price: "", valid_from: "2026-12-01" }, /^valid_from: A freeze begins today/],
  ])("is rejected with %j", async (change, message) => {
    expect(await refusal(override(change))).toMatch(message);
    expect((await pricing()).monthlyCents).toBe((await pricing()).calculatedCents);
  });

  it("leaves an audit entry with the operator's reason", async () => {
    await override({ valid_to: "2027-01-01" });
    await release();
    const [released, set] = await world.ctx.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.actorAccountId, operator.account.id))
      .orderBy(desc(auditLog.id))
      .limit(2);
    expect(released).toMatchObject({ action: "period.price_released", details: { code } });
    expect(set).toMatchObject({
      action: "period.price_overridden",
      details: { code, amount_cents: 12_345, valid_to: "2027-01-01", reason: "Agreed with sales" },
    });
  });

  it("cannot be released twice", async () => {
    expect(await refusal(release())).toBe(`The price of the period ${code} is already calculated`);
  });
});

describe("A frozen price", () => {
  it("outlives the nightly popularity job, and adds nothing to the history", async () => {
    const { monthlyCents } = await pricing();
    world.clock.set("2026-11-20T10:00:00Z");
    await freeze();
    expect(await newest()).toMatchObject({ reason: "freeze", monthlyCents });
    const before = await reasons();
    await world.ctx.db.update(routes).set({ popularityPercent: 150 });
    at("2026-11-21");
    expect(await recomputePopularity(world.ctx)).toBe(1);
    expect((await pricing()).monthlyCents).toBe(monthlyCents);
    expect(await reasons()).toEqual(before);
  });

  it("carries over to the next period of the same freshness, and not to one of another", async () => {
    const { monthlyCents } = await pricing();
    const { freshness } = await periodOnSale();
    await freeze();
    await changeRecord(world.ctx, operator, { kind: "period", code, values: { ends_on: "2026-12-01" } });
    const route_code = world.routes[0]?.code ?? "";
    const next = { record_code: "", route_code, starts_on: "2026-12-01", ends_on: "", freshness };
    const added = await createRecord(world.ctx, operator, { kind: "period", values: next });
    await setPopularity(world.ctx.db, [routeId], 149);
    at("2026-12-01");
    await moveToSuccessors(world.ctx);
    expect(await readPricing(world.ctx, operator, added.id)).toMatchObject({ monthlyCents });
    const other = freshness === "weekly" ? "daily" : "weekly";
    await changeRecord(world.ctx, operator, { kind: "period", code: added.code, values: { freshness: other } });
    const changed = await readPricing(world.ctx, operator, added.id);
    expect(changed?.monthlyCents).toBe(changed?.calculatedCents);
    expect(await refusal(freeze())).toBe(`The period ${code} has ended`);
  });
});

describe("A period that is restored", () => {
  it("has its price recorded again at once", async () => {
    await retireRecord(world.ctx, operator, { kind: "period", code });
    await setPopularity(world.ctx.db, [routeId], 121);
    world.clock.set("2026-11-20T11:00:00Z");
    await restoreRecord(world.ctx, operator, { kind: "period", code });
    expect(await newest()).toMatchObject({ popularityPercent: 121, validFrom: world.clock.now() });
  });
});
