/** What the home page shows to visitors, to a new account and to one with subscriptions. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browse } from "#app/domain/catalogue/browse.server.ts";
import { addDays, dayOf } from "#app/domain/dates.ts";
import { publishDemoSchedule } from "#app/domain/schedules/demo/demo-schedule.server.ts";
import { chargeDueRenewals } from "#app/domain/subscriptions/charge-renewals.server.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { recordUsage } from "#app/domain/usage/record.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { testCards } from "#app/testing/purchases.ts";
import { payWith } from "#app/testing/world.ts";
import { accounts, routes, subscriptions } from "#drizzle/schema/index.ts";
import { loader as departuresPage } from "../schedule.tsx";
import { action, loader } from "./home.tsx";

let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("homebound", ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "B-AUPHE-CNTAO-GRN9"]);
  await publishDemoSchedule(portal.service.ctx);
  await portal.service.ctx.db.update(routes).set({ isSample: true }).where(eq(routes.code, "C-CNNGB-GBFXT-MRG9"));
});
afterAll(() => portal.close());

const incoming = (cookie: string, path = "/") => ({
  request: new Request(`http://localhost:3000${path}`, { headers: { Cookie: cookie } }),
  params: {},
  context: {},
});

const open = (cookie: string) => loader(incoming(cookie));

const overviewOf = async (cookie = portal.cookie) => {
  const { overview } = await open(cookie);
  if (!overview) throw new Error("That is the page of a visitor");
  return overview;
};

/** @returns the id of the subscription */
const buy = async (code: string, card: string): Promise<number> => {
  const { ctx, testMode } = portal.service;
  if (!testMode) throw new Error("The simulator is missing");
  const period = (await browse(ctx, {}, { limit: 10 })).rows.find((route) => route.code === code)?.periods[0];
  const items = [{ periodId: period?.id ?? 0, term: "1_month" as const }];
  const { intent } = await checkout(ctx, portal.caller, { items, autoRenew: true });
  await payWith(testMode, intent, card);
  const [bought] = await confirmPayment(ctx, portal.caller, { paymentIntentId: intent.id });
  return bought?.id ?? 0;
};

const endIn = async (id: number, days: number) => {
  const { db, clock } = portal.service.ctx;
  const endDate = addDays(dayOf(clock.now()), days);
  await db
    .update(subscriptions)
    .set({ startDate: addDays(endDate, -30), endDate })
    .where(eq(subscriptions.id, id));
};

it("shows the landing page to visitors", async () => {
  expect(await open("")).toMatchObject({ overview: null, landing: { counts: { routes: 3 } } });
});

describe("An account", () => {
  it("begins with three open steps and a sample of containers", async () => {
    expect(await overviewOf()).toMatchObject({
      getStarted: {
        sample: { name: "Ningbo-Zhoushan – Felixstowe" },
        done: { openedSample: false, subscribed: false, called: false },
      },
      renewals: null,
      usage: null,
      spend: null,
      watchlist: { unread: 0, alerts: [] },
    });
  });

  it("ticks the sample once it was opened from here, for this account only", async () => {
    const sample = (await overviewOf()).getStarted?.sample;
    const body = new URLSearchParams({ intent: "open_sample", route_id: String(sample?.id) });
    const request = new Request("http://localhost:3000/?index", {
      method: "POST",
      headers: { Cookie: portal.cookie },
      body,
    });
    const answer: unknown = await action({ request, params: {}, context: {} }).catch((thrown: unknown) => thrown);
    if (!(answer instanceof Response)) throw new Error("The form came back");
    expect(answer.headers.get("Location")).toBe(`/routes/${sample?.id}`);
    const [seen] = (answer.headers.get("Set-Cookie") ?? "").split(";");
    expect((await overviewOf(`${portal.cookie}; ${seen}`)).getStarted?.done.openedSample).toBe(true);
    const other = "srds_sample=MA%3D%3D";
    expect((await overviewOf(`${portal.cookie}; ${other}`)).getStarted?.done.openedSample).toBe(false);
  });

  it("shows what is past due before what ends sooner, the next departures and the spend, once it has subscribed", async () => {
    const { ctx } = portal.service;
    const ending = await buy("B-AUPHE-CNTAO-GRN9", testCards.works);
    // The card that paid last is charged for renewals.
    const declined = await buy("C-CNSHA-NLRTM-PEL9", testCards.declinedOffSession);
    await endIn(declined, 3);
    await chargeDueRenewals(ctx);
    await endIn(ending, 1);
    await ctx.db.update(subscriptions).set({ autoRenew: false }).where(eq(subscriptions.id, ending));

    const overview = await overviewOf();
    expect(overview.renewals).toMatchObject({
      pastDue: [{ subscriptionId: declined, routeName: "Shanghai – Rotterdam" }],
      ending: [{ id: ending, daysLeft: 1, nextCharge: null }],
    });
    expect(overview.getStarted?.done).toMatchObject({ subscribed: true, called: false });
    expect(overview.departures).toHaveLength(5);
    const departures = overview.departures?.map(({ etd }) => etd.utc) ?? [];
    expect(departures).toEqual(departures.toSorted());
    expect(departures[0] && departures[0] > overview.now).toBe(true);
    const { rows } = await departuresPage(incoming(portal.cookie, "/schedule"));
    expect(rows.slice(0, 5).map(({ id }) => id)).toEqual(overview.departures?.map(({ id }) => id));
    expect(overview.spend?.totalCents).toBeGreaterThan(0);
  });

  it("shows each route that changed once, the latest change first", async () => {
    const { db } = portal.service.ctx;
    for (const [code, distanceNm] of [
      ["B-AUPHE-CNTAO-GRN9", 3_401],
      ["C-CNSHA-NLRTM-PEL9", 10_601],
      ["C-CNSHA-NLRTM-PEL9", 10_602],
      ["C-CNNGB-GBFXT-MRG9", 10_001],
    ] as const) {
      await db.update(routes).set({ distanceNm }).where(eq(routes.code, code));
    }
    const { changes } = await overviewOf();
    expect(changes?.map(({ route, after }) => [route.code, after?.distance_nm])).toEqual([
      ["C-CNSHA-NLRTM-PEL9", 10_602],
      ["B-AUPHE-CNTAO-GRN9", 3_401],
    ]);
  });

  it("replaces the steps with its usage after the first call with a key", async () => {
    const { ctx } = portal.service;
    await recordUsage(ctx, {
      accountId: portal.caller.account.id,
      occurredAt: ctx.clock.now(),
      method: "GET",
      endpoint: "/api-routes-data",
      status: 200,
      durationMs: 10,
      responseBytes: 100,
      requestCost: 1,
      apiKeyId: 1,
      apiKeyName: "First",
      routeId: null,
      requestId: "first",
    });
    expect(await overviewOf()).toMatchObject({ getStarted: null, usage: { totals: { requests: 1 } } });
  });

  it("sees no route data while it is suspended", async () => {
    const own = eq(accounts.id, portal.caller.account.id);
    await portal.service.ctx.db.update(accounts).set({ standing: "suspended" }).where(own);
    expect(await overviewOf()).toMatchObject({ isSuspended: true, changes: null, departures: null });
  });
});
