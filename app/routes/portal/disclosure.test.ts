/** What pages send to readers without a subscription: none of the figures that subscribers pay for. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { computeBenchmarks } from "#app/domain/benchmarks/compute.server.ts";
import { browse } from "#app/domain/catalogue/browse.server.ts";
import { markSample } from "#app/domain/stock/mark-sample.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { baseRates, periods, reports } from "#drizzle/schema/index.ts";
import { loader as compareCsv } from "./compare/csv.ts";
import { loader as comparePage } from "./compare/index.tsx";
import { loader as homePage } from "./home/home.tsx";
import { loader as marketPage } from "./market/index.tsx";
import { loader as regionPage } from "./regions/region.tsx";
import { loader as dataFile } from "./routes/data-json.ts";
import { loader as routesPage } from "./routes/index.tsx";
import { loader as reportsFile } from "./routes/reports-csv.ts";
import { loader as routePage } from "./routes/route.tsx";
import { loader as schedulePage } from "./routes/schedule.tsx";
import { loader as lanePage } from "./trade-lane.tsx";

const routeCodes = [
  "C-JPYOK-USLAX-CAL9",
  "C-JPYOK-USLAX-BRW9",
  "C-JPNGO-USLAX-BRW9",
  "C-JPNGO-USLAX-KES9",
  "C-CNSHA-USLAX-COR9",
  "C-CNSHA-USLGB-ALD9",
];
const sampleCode = "R-JPYOK-USLAX-DRO9";

let portal: Awaited<ReturnType<typeof openPortalService>>;
let paid: Set<number>;
let lockedId: number;
let sampleId: number;
let samplePeriodId: number;
beforeAll(async () => {
  portal = await openPortalService("reader", [...routeCodes, sampleCode]);
  const { ctx } = portal.service;
  const { rows } = await browse(ctx, {}, { limit: 100 });
  const idOf = (code: string | undefined) => rows.find((route) => route.code === code)?.id ?? 0;
  lockedId = idOf(routeCodes[0]);
  sampleId = idOf(sampleCode);
  samplePeriodId = rows.find(({ id }) => id === sampleId)?.periods[0]?.id ?? 0;
  await markSample(ctx, { machineUser: "tests" }, { code: sampleCode });
  await computeBenchmarks(ctx);
  paid = new Set();
  for (const { id } of rows.filter(({ code }) => code !== sampleCode)) {
    const observed = await ctx.db
      .select({ report: reports })
      .from(reports)
      .innerJoin(periods, eq(periods.id, reports.periodId))
      .where(eq(periods.routeId, id));
    for (const { report } of observed.filter(({ report }) => report.type === "rate")) {
      paid.add(report.baseRateCents ?? 0).add((report.baseRateCents ?? 0) + (report.surchargesCents ?? 0));
    }
    const current = await ctx.db.select().from(baseRates).where(eq(baseRates.routeId, id));
    for (const { amountCents } of current) paid.add(amountCents);
  }
}, 120_000);
afterAll(() => portal.close());

type Loader = (args: never) => Promise<unknown>;

/** What a loader sends to the browser, as text. */
const sent = async (loader: Loader, path: string, params: Record<string, string>, cookie = ""): Promise<string> => {
  const request = new Request(`http://localhost:3000${path}`, { headers: { Cookie: cookie } });
  const data = await loader({ request, params, context: {} } as never).catch((thrown: unknown) => thrown);
  if (data instanceof Error) throw data;
  return data instanceof Response ? `${data.status} ${await data.text()}` : JSON.stringify(data);
};

const numbersIn = (text: string): number[] => [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));

const pages = (): [name: string, Loader, path: string, params: Record<string, string>][] => [
  ["The home page", homePage, "/", {}],
  ["The list of routes", routesPage, "/routes", {}],
  ["The page of a route", routePage, `/routes/${lockedId}`, { route_id: String(lockedId) }],
  ["The page of a trade lane", lanePage, "/trade-lanes/EAS-NAW", { code: "EAS-NAW" }],
  ["The page of a region", regionPage, "/regions/EAS", { code: "EAS" }],
  ["A comparison", comparePage, "/compare?origin=JPYOK&destination=USLAX", {}],
  ["The file of a comparison", compareCsv, "/compare.csv?origin=JPYOK&destination=USLAX", {}],
];

describe("Without a subscription", () => {
  it.each(["visitor", "account"])("no page sends a paid figure to a %s", async (who) => {
    expect(paid.size).toBeGreaterThan(500);
    for (const [name, loader, path, params] of pages()) {
      const text = await sent(loader, path, params, who === "account" ? portal.cookie : "");
      expect(text.length, name).toBeGreaterThan(100);
      expect([name, numbersIn(text).filter((number) => paid.has(number))]).toEqual([name, []]);
    }
  });

  it("the market of a locked route is the delayed index, without amounts", async () => {
    const { market } = JSON.parse(await sent(routePage, `/routes/${lockedId}`, { route_id: String(lockedId) }));
    expect(market.access).toBe("free");
    expect(market.newest).toMatchObject({ index: expect.any(Number), medianCents: null, lowCents: null });
    expect(market.change).toMatchObject({ weeks13: null, weeks52: null });
  });

  it("the view of own routes has none", async () => {
    expect(JSON.parse(await sent(marketPage, "/market", {}, portal.cookie)).rows).toEqual([]);
  });

  it("files of a route lead to signing in", async () => {
    expect(await sent(dataFile, `/routes/${lockedId}/data.json`, { route_id: String(lockedId) })).toMatch(/^302/);
    expect(
      await sent(dataFile, `/routes/${lockedId}/data.json`, { route_id: String(lockedId) }, portal.cookie),
    ).toMatch(/^403/);
  });
});

describe("A visitor of a sample", () => {
  it("reads its page, reports and files", async () => {
    const params = { route_id: String(sampleId), period_id: String(samplePeriodId) };
    const page = JSON.parse(await sent(routePage, `/routes/${sampleId}`, params));
    expect(page).toMatchObject({ route: { isSample: true }, access: { reason: "sample" }, offers: [], market: null });
    expect(page.data.rates.length).toBeGreaterThan(0);
    expect(await sent(dataFile, `/routes/${sampleId}/data.json`, params)).toContain('"reports"');
    expect(await sent(reportsFile, `/routes/${sampleId}/periods/${samplePeriodId}/reports.csv`, params)).toMatch(
      /^200 id,observed_at/,
    );
    expect(JSON.parse(await sent(schedulePage, `/routes/${sampleId}/schedule`, params)).route.id).toBe(sampleId);
  });
});
