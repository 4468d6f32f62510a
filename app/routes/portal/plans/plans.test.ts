/** The prices of plans on the pages, and what the pages do without one. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OperatorCaller } from "#app/domain/accounts/caller.ts";
import { changePlan } from "#app/domain/operations/change-account.server.ts";
import { setPlanPrice } from "#app/domain/paid-plans/prices.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { accounts } from "#drizzle/schema/index.ts";
import { loader as checkoutPage } from "../checkout/order.tsx";
import { loader as pricesPage, action as setPrices } from "../operations/catalogue/plan-prices.tsx";
import { action as buy, loader as buyPage } from "./buy.tsx";
import { loader as plansPage } from "./index.tsx";
import { loader as ownPlan } from "./own-plan.tsx";

const site = "http://localhost:3000";
let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("planner");
});
afterAll(() => portal.close());

const argsOf = (
  path: string,
  params: Record<string, string>,
  cookie = portal.cookie,
  form?: Record<string, string>,
) => ({
  request: new Request(`${site}${path}`, {
    headers: { Cookie: cookie, Origin: site },
    ...(form ? { method: "POST", body: new URLSearchParams(form) } : {}),
  }),
  params,
  context: {},
});

/** The response that a loader or action throws. */
const thrown = (work: Promise<unknown>): Promise<Response> =>
  work.then(
    () => Promise.reject(new Error("Nothing was thrown")),
    (error) => error as Response,
  );

const machine = { machineUser: "tests" };
const setPrice = (monthlyCents: number | null) =>
  setPlanPrice(portal.service.ctx, machine, { plan: "professional", monthlyCents });

const pricesShown = async (cookie?: string) =>
  (await plansPage(argsOf("/plans", {}, cookie))).plans.map(({ name, monthlyCents }) => [name, monthlyCents]);

describe("Without a price", () => {
  it("a plan is on request on every page", async () => {
    const none = [
      ["free", null],
      ["professional", null],
      ["enterprise", null],
    ];
    expect(await pricesShown()).toEqual(none);
    expect(await pricesShown("")).toEqual(none);
    const own = await ownPlan(argsOf("/plan", {}));
    expect(own.plans.map(({ isForSale }) => isForSale)).toEqual([false, false, false]);
    expect(own.paidThrough).toBeNull();
  });

  it("the page that sells it leads to the request, and Free is never sold", async () => {
    const answer = await thrown(buyPage(argsOf("/plan/professional", { plan: "professional" })));
    expect(answer.headers.get("Location")).toBe("/plan?plan=professional#request");
    expect((await thrown(buyPage(argsOf("/plan/free", { plan: "free" })))).status).toBe(404);
  });
});

describe("With a price", () => {
  beforeAll(() => setPrice(4_900));
  afterAll(() => setPrice(null));

  it("visitors and accounts see it, and only the plan that has one is sold", async () => {
    const priced = [
      ["free", null],
      ["professional", 4_900],
      ["enterprise", null],
    ];
    expect(await pricesShown()).toEqual(priced);
    expect(await pricesShown("")).toEqual(priced);
    const own = await ownPlan(argsOf("/plan", {}));
    expect(own.plans.map(({ isForSale }) => isForSale)).toEqual([false, true, false]);
  });

  it("the page has the total of each term, and leads to the checkout", async () => {
    const { offers, refusal } = await buyPage(argsOf("/plan/professional", { plan: "professional" }));
    expect(refusal).toBeNull();
    expect(offers.map(({ months, totalCents }) => [months, totalCents])).toEqual([
      [1, 4_900],
      [3, 14_700],
      [6, 29_400],
      [12, 58_800],
    ]);
    const form = { intent: "buy", term: "3_months" };
    const answer = await thrown(buy(argsOf("/plan/professional", { plan: "professional" }, portal.cookie, form)));
    const [, orderId = ""] = /^\/checkout\/(\d+)$/.exec(answer.headers.get("Location") ?? "") ?? [];
    const { order, plan, back } = await checkoutPage(argsOf(`/checkout/${orderId}`, { order_id: orderId }));
    expect(order).toMatchObject({ amountCents: 14_700, autoRenew: false, lines: [] });
    expect(plan).toMatchObject({ plan: "professional", months: 3, isExtension: false });
    expect(back).toEqual({ label: "Professional plan", to: "/plan/professional" });
  });

  it("rejects a term that plans are not sold for", async () => {
    const form = { intent: "buy", term: "2_months" };
    const answer = await buy(argsOf("/plan/professional", { plan: "professional" }, portal.cookie, form));
    expect(answer).toMatchObject({ data: { problem: { message: "Choose a term" } } });
  });

  it("an account whose plan was set by an operator is told why it cannot buy", async () => {
    const { ctx } = portal.service;
    const { account } = portal.caller;
    const operator = { ...portal.caller } as OperatorCaller;
    await changePlan(ctx, operator, { accountId: account.id, plan: "enterprise", reason: "As agreed" });
    const { refusal } = await buyPage(argsOf("/plan/professional", { plan: "professional" }));
    expect(refusal).toMatch(/no end date/);
    await changePlan(ctx, operator, { accountId: account.id, plan: "free", reason: "As agreed" });
  });
});

describe("The console's page of plan prices", () => {
  const post = (form: Record<string, string>) =>
    setPrices(argsOf("/operations/catalogue/plan-prices", {}, portal.cookie, form));

  it("does not exist for account holders", async () => {
    expect((await thrown(pricesPage(argsOf("/operations/catalogue/plan-prices", {})))).status).toBe(404);
    expect((await thrown(post({ intent: "set", plan: "professional", monthly_price: "1.00" }))).status).toBe(404);
  });

  it("sets and withdraws a price, and keeps the history", async () => {
    const { ctx } = portal.service;
    await ctx.db.update(accounts).set({ role: "operator" }).where(eq(accounts.id, portal.caller.account.id));
    const before = (await pricesPage(argsOf("/operations/catalogue/plan-prices", {}))).history.length;
    expect((await thrown(post({ intent: "set", plan: "professional", monthly_price: "49.00" }))).status).toBe(302);
    expect(await pricesShown("")).toContainEqual(["professional", 4_900]);
    for (const price of ["0", "-1", "0.49", "49.001", "100000.01", "", "free"]) {
      const answer = await post({ intent: "set", plan: "professional", monthly_price: price });
      expect([price, answer]).toMatchObject([price, { data: { problem: { fields: [{ path: "monthly_price" }] } } }]);
    }
    expect((await thrown(post({ intent: "withdraw", plan: "professional" }))).status).toBe(302);
    expect(await pricesShown("")).toContainEqual(["professional", null]);
    const { history } = await pricesPage(argsOf("/operations/catalogue/plan-prices", {}));
    expect(history).toHaveLength(before + 2);
    expect(history[0]).toMatchObject({ plan: "professional", monthlyCents: null, operator: "planner" });
  });
});
