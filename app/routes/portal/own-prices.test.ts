/** Every place that shows a price shows what an order charges, to the cent. */
import { createCookie } from "@remix-run/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routeDocument } from "#app/api/documents/catalogue.ts";
import type { Caller } from "#app/domain/accounts/caller.ts";
import { register } from "#app/domain/accounts/register.server.ts";
import { openSession, recognise } from "#app/domain/accounts/session.server.ts";
import { browse } from "#app/domain/catalogue/browse.server.ts";
import type { RouteSummary } from "#app/domain/catalogue/browse.ts";
import { type Term, terms } from "#app/domain/pricing/discounts.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { changeTerm, renewSubscription } from "#app/domain/subscriptions/renew.server.ts";
import { browseForAccount } from "#app/domain/subscriptions/route-access.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { payWith } from "#app/testing/world.ts";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import { loader as basketPage } from "./basket.tsx";
import { loader as checkoutPage } from "./checkout/order.tsx";
import { loader as home } from "./home/home.tsx";
import { loader as regions } from "./regions/index.tsx";
import { loader as region } from "./regions/region.tsx";
import { loader as routeGroup } from "./route-group.tsx";
import { loader as routes } from "./routes/index.tsx";
import { loader as routePage } from "./routes/route.tsx";
import { loader as subscriptionPage } from "./subscriptions/subscription.tsx";
import { loader as tradeLane } from "./trade-lane.tsx";

let portal: Awaited<ReturnType<typeof openPortalService>>;
let catalogue: RouteSummary[];
beforeAll(async () => {
  portal = await openPortalService("owner", readDemoCatalogue({ today: "2026-11-20" }).routeCodes.slice(0, 7));
  catalogue = (await browse(portal.service.ctx, {}, { limit: 100 })).rows;
});
afterAll(() => portal.close());

type Reader = { caller: Caller; cookie: string };

/** An account with subscriptions to that many routes of the catalogue. */
const accountRunning = async (count: number): Promise<Reader> => {
  const { ctx, testMode } = portal.service;
  const origin = { ipAddress: `192.0.2.${10 + count}`, userAgent: "tests" };
  const username = `runs-${count}`;
  const input = { email: `${username}@example.com`, username, password: "correct horse battery" };
  const { token } = await openSession(ctx, await register(ctx, input, origin), "portal", origin);
  const caller = await recognise(ctx, token, "portal");
  if (!caller || !testMode) throw new Error("There is no session, or no simulator");
  if (count > 0) {
    const items = catalogue.slice(0, count).map((route) => ({ periodId: periodOf(route), term: "1_month" as const }));
    const { intent } = await checkout(ctx, caller, { items, autoRenew: true });
    await payWith(testMode, intent);
    await confirmPayment(ctx, caller, { paymentIntentId: intent.id });
  }
  return { caller, cookie: (await createCookie("srds_session").serialize(token)).split(";")[0] ?? "" };
};

const periodOf = ({ periods: [period] }: RouteSummary): number => period?.id ?? 0;

const read = async <Data>(
  loader: (args: never) => Promise<Data>,
  cookie: string,
  params: Record<string, string | number> = {},
): Promise<Data> => {
  const request = new Request("http://localhost:3000/", { headers: { Cookie: cookie } });
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
  return loader({ request, params: texts, context: {} } as never);
};

const charged = async ({ caller }: Reader, periodId: number, term: Term): Promise<number> =>
  (await checkout(portal.service.ctx, caller, { items: [{ periodId, term }], autoRenew: true })).amountCents;

/** What an order of one month charges for each route, by id. */
const monthsOf = async (reader: Reader) => {
  const months = new Map<number, number>();
  for (const route of catalogue) months.set(route.id, await charged(reader, periodOf(route), "1_month"));
  return months;
};

// With four running routes, a fifth one gets a discount that extending one of the four does not.
describe.each([0, 4, 5])("With %i running routes, an order charges exactly", (running) => {
  let reader: Reader;
  let months: Map<number, number>;
  /** Undefined without such a route. */
  const least = (of: (route: RouteSummary) => boolean) =>
    catalogue
      .filter(of)
      .map(({ id }) => months.get(id) ?? 0)
      .sort((a, b) => a - b)[0];
  beforeAll(async () => {
    reader = await accountRunning(running);
    months = await monthsOf(reader);
  });

  // Only visitors see it.
  it.runIf(running === 0)("what the landing page says", async () => {
    const { landing } = await read(home, "");
    expect(landing?.priceFrom?.cents).toBe(least(() => true));
    expect(landing?.regions).not.toHaveLength(0);
    for (const { code, priceFrom } of landing?.regions ?? []) {
      expect(priceFrom?.cents).toBe(least((route) => route.region.code === code));
    }
  });

  it("what lists of routes say, in the portal and in the API", async () => {
    const { rows } = (await read(routes, reader.cookie)).data;
    expect(new Map(rows.map(({ id, priceFrom }) => [id, priceFrom?.cents]))).toEqual(months);
    const listed = await browseForAccount(portal.service.ctx, reader.caller, {}, { limit: 100 });
    const documents = listed.rows.map(routeDocument);
    expect(new Map(documents.map(({ id, price_from }) => [id, price_from?.total_cents]))).toEqual(months);
  });

  it("what regions, trade lanes and route groups say", async () => {
    for (const { code, priceFrom } of (await read(regions, reader.cookie)).regions) {
      expect(priceFrom?.cents).toBe(least((route) => route.region.code === code));
      const page = await read(region, reader.cookie, { code });
      expect(page.region.priceFrom).toEqual(priceFrom);
      for (const lane of page.tradeLanes) {
        expect(lane.priceFrom?.cents).toBe(least((route) => route.tradeLane.code === lane.code));
      }
    }
    for (const code of new Set(catalogue.map((route) => route.tradeLane.code))) {
      const page = await read(tradeLane, reader.cookie, { code });
      expect(page.tradeLane.priceFrom?.cents).toBe(least((route) => route.tradeLane.code === code));
      for (const group of page.routeGroups) {
        const cents = least((route) => route.routeGroup.code === group.code);
        expect(group.priceFrom?.cents).toBe(cents);
        const { group: own, rows } = await read(routeGroup, reader.cookie, { code: group.code });
        expect(own.priceFrom).toEqual(group.priceFrom);
        expect(rows.map(({ priceFrom }) => priceFrom?.cents)).toEqual(rows.map(({ id }) => months.get(id)));
      }
    }
  });

  it("what the route's page, the basket and the checkout say, for every term", async () => {
    for (const route of [catalogue[0], catalogue.at(-1)]) {
      if (!route) throw new Error("The catalogue is empty");
      const page = await read(routePage, reader.cookie, { route_id: route.id });
      expect(page.priceFrom?.cents).toBe(months.get(route.id));
      const lines = page.offers[0]?.lines ?? [];
      expect(lines.map(({ term }) => term)).toEqual(terms);
      for (const { term, price } of lines) {
        const items = [{ periodId: periodOf(route), term }];
        const order = await checkout(portal.service.ctx, reader.caller, { items, autoRenew: true });
        expect(price.cents).toBe(order.amountCents);
        const paying = await read(checkoutPage, reader.cookie, { order_id: order.orderId });
        expect(paying.order.amountCents).toBe(price.cents);
        expect(paying.order.lines.map(({ listCents }) => listCents)).toEqual([price.listCents]);
        const basket = await createCookie("srds_basket").serialize([[periodOf(route), term]]);
        const { totals } = await read(basketPage, `${reader.cookie}; ${basket.split(";")[0]}`);
        expect(totals).toMatchObject({ amountCents: price.cents, listCents: price.listCents });
      }
    }
  });

  it("what the subscription's page says about a renewal and a change of term", async () => {
    const [subscription] = await listSubscriptions(portal.service.ctx, reader.caller);
    if (!subscription) return expect(running).toBe(0);
    const { id } = subscription;
    const page = await read(subscriptionPage, reader.cookie, { subscription_id: id });
    expect(page.offers.map(({ term }) => term)).toEqual(terms);
    for (const { term, price, change } of page.offers) {
      const renewal = await renewSubscription(portal.service.ctx, reader.caller, { id, term });
      expect(renewal.amountCents).toBe(price.cents);
      if (!change) continue;
      const changed = await changeTerm(portal.service.ctx, reader.caller, { id, term });
      expect(changed.amountCents).toBe(change.amountCents);
      expect(change.totalCents).toBe(price.cents);
    }
  });
});

it("Where an account pays less than the list price, both are shown, with the reason", async () => {
  const { cookie } = await accountRunning(6);
  const page = await read(routePage, cookie, { route_id: catalogue.at(-1)?.id ?? 0 });
  const [month, , quarter] = page.offers[0]?.lines ?? [];
  expect(month?.price.cents).toBeLessThan(month?.price.listCents ?? 0);
  expect(month?.price.reason).toBe("5% off for 5 to 10 routes");
  expect(quarter?.price.reason).toBe("10% off for the term, 5% off for 5 to 10 routes");
});

it("A visitor sees list prices", async () => {
  const { rows, signedIn } = (await read(routes, "")).data;
  expect(signedIn).toBe(false);
  for (const { priceFrom } of rows)
    expect(priceFrom).toEqual({ ...priceFrom, cents: priceFrom?.listCents, reason: null });
});
