/** The reports in route data: their units and the filters. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { periods, reports, surcharges } from "#drizzle/schema/index.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, payWith, type World } from "../testing/world.ts";

let world: World;
let token: string;
let routeId: number;
beforeAll(async () => {
  world = await createWorld({ webhooks: false, routeCodes: ["C-CNSHA-NLRTM-PEL9"] });
  world.ctx.rateLimiter = memoryRateLimiter();
  const account = { email: "reader@example.com", password: "correct horse battery", username: "reader" };
  token = (await call(world, "POST", "/auth/register", { body: account })).body.access_token;
  const [route] = (await call(world, "GET", "/route-access/all-routes", { token })).body.routes;
  routeId = route.id;
  const item = { period_id: route.periods[0].period_id, subscription_term: "1_month" };
  const { body } = await call(world, "POST", "/subscriptions/create-payment-intent", { token, body: item });
  await payWith(world, { id: body.payment_intent_id, clientSecret: body.client_secret });
  await call(world, "POST", "/subscriptions/payment-success", {
    token,
    body: { payment_intent_id: body.payment_intent_id },
  });
});
afterAll(() => world.close());
beforeEach(() => {
  world.ctx.rateLimiter = memoryRateLimiter();
});

const read = (query: string) => call(world, "GET", `/route-access/routes-data?id=${routeId}${query}`, { token });

/** All pages. */
const readAll = async (query: string): Promise<Record<string, unknown>[]> => {
  const all = [];
  let next = "";
  do {
    const { body } = await read(`${query}&limit=60${next}`);
    all.push(...body.reports);
    next = body.next_cursor ? `&cursor=${body.next_cursor}` : "";
  } while (next);
  return all;
};

describe("A report", () => {
  it("states what its rate is for, its currency, and each surcharge", async () => {
    const [rate] = (await read("&report_type=rate&equipment_type=45G1&limit=1")).body.reports;
    expect(rate).toMatchObject({
      code: expect.stringMatching(/^rate-standard-45G1-2026-/),
      equipment_type: "45G1",
      basis: "per_container",
      currency: "USD",
      capacity_unit: null,
    });
    expect(rate.surcharges).toContainEqual({
      code: "BAF",
      amount_cents: expect.any(Number),
      currency: "USD",
      basis: "per_container",
      converted: null,
    });
    const total = rate.surcharges.reduce((sum: number, each: { amount_cents: number }) => sum + each.amount_cents, 0);
    expect(rate.surcharges_cents).toBe(total);
    expect(rate.all_in_cents).toBe(rate.base_rate_cents + total);
  });

  it("of capacity states its unit, and no currency", async () => {
    const [capacity] = (await read("&report_type=capacity&limit=1")).body.reports;
    expect(capacity).toMatchObject({
      ...{ capacity_unit: "TEU", available_capacity: expect.any(Number) },
      ...{ equipment_type: null, basis: null, currency: null, surcharges: null, all_in_cents: null },
    });
  });

  it("shows a surcharge in another currency with its exchange rate", async () => {
    const [period] = await world.ctx.db.select().from(periods).where(eq(periods.routeId, routeId)).limit(1);
    await world.ctx.db.insert(reports).values({
      ...{ periodId: period?.id ?? 0, type: "rate", serviceLevel: "standard", equipmentType: "42U1" },
      ...{ observedAt: new Date("2025-11-01T06:00:00Z"), basis: "per_container", currency: "USD" },
      ...{ baseRateCents: 500_000, surchargesCents: 26_781 },
      surcharges: [
        {
          ...{ code: "DTHC", amountCents: 24_500, currency: "EUR" },
          exchangeRate: { rate: "1.0931", asOf: "2025-10-31", source: "ECB" },
        },
      ],
    });
    const [rate] = (await read("&equipment_type=42u1")).body.reports;
    expect(rate.surcharges).toEqual([
      {
        ...{ code: "DTHC", amount_cents: 24_500, currency: "EUR", basis: "per_container" },
        converted: { amount_cents: 26_781, currency: "USD", rate: "1.0931", as_of: "2025-10-31", source: "ECB" },
      },
    ]);
    expect(rate).toMatchObject({ surcharges_cents: 26_781, all_in_cents: 526_781 });
    await world.ctx.db.delete(reports).where(eq(reports.equipmentType, "42U1"));
  });
});

describe("A surcharge of a route", () => {
  it("is shown in its own currency, and converted at its exchange rate", async () => {
    await world.ctx.db.insert(surcharges).values({
      ...{ routeId, code: "XTHC", name: "Terminal handling", amountCents: 24_500, currency: "EUR", mandatory: false },
      ...{ exchangeRate: "1.0931", exchangeRateAsOf: "2026-10-30", exchangeRateSource: "ECB" },
      ...{ basis: "per_container", validFrom: "2026-11-01" },
    });
    const { body } = await read("&limit=1");
    await world.ctx.db.delete(surcharges).where(eq(surcharges.code, "XTHC"));
    expect(body.surcharges.find(({ code }: { code: string }) => code === "XTHC")).toEqual({
      ...{ code: "XTHC", name: "Terminal handling", amount_cents: 24_500, currency: "EUR", basis: "per_container" },
      converted: { amount_cents: 26_781, currency: "USD", rate: "1.0931", as_of: "2026-10-30", source: "ECB" },
      ...{ mandatory: false, valid_from: "2026-11-01", valid_to: null },
    });
    expect(body.surcharges.find(({ code }: { code: string }) => code === "BAF")).toMatchObject({
      currency: "USD",
      converted: null,
    });
  });
});

describe("A filter of reports", () => {
  it.each([
    ["report_type=rate", "report_type", "rate"],
    ["report_type=performance", "report_type", "performance"],
    ["service_level=standard", "service_level", "standard"],
    ["equipment_type=22G1", "equipment_type", "22G1"],
    ["equipment_type=45r1", "equipment_type", "45R1"],
  ])("%s holds on every page, and leaves out nothing", async (query, field, value) => {
    const filtered = await readAll(`&${query}`);
    expect(filtered.length).toBeGreaterThan(5);
    expect(filtered).toEqual((await readAll("")).filter((report) => report[field] === value));
  });

  it("combines with the others and with a time", async () => {
    const found = await readAll("&report_type=rate&equipment_type=45G1&from=2026-10-01&to=2026-11-01");
    expect(found.map(({ observed_at }) => observed_at)).toEqual([
      ...[
        "2026-10-26T06:00:00.000Z",
        "2026-10-19T06:00:00.000Z",
        "2026-10-12T06:00:00.000Z",
        "2026-10-05T06:00:00.000Z",
      ],
    ]);
    expect(await readAll("&report_type=rate&service_level=express")).toEqual([]);
  });

  it("has its own ETag", async () => {
    const queries = [
      "",
      "&report_type=rate",
      "&service_level=standard",
      "&equipment_type=45G1",
      "&equipment_type=22G1",
    ];
    const tags = await Promise.all(queries.map(async (query) => (await read(query)).headers.ETag));
    expect(new Set(tags).size).toBe(queries.length);
    const again = await call(world, "GET", `/route-access/routes-data?id=${routeId}${queries[3]}`, {
      token,
      headers: { "If-None-Match": tags[3] ?? "" },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    ["report_type=rates", "report_type", "Must be one of rate, capacity, schedule, performance"],
    ["service_level=fast", "service_level", "Must be one of express, standard, economy"],
    ["equipment_type=40HC", "equipment_type", "Must be an ISO 6346 size and type code, such as 45G1"],
    ["equipment_type=", "equipment_type", "Must be an ISO 6346 size and type code, such as 45G1"],
  ])("is a 422 for %s", async (query, path, message) => {
    const { status, body } = await read(`&${query}`);
    expect([status, body.errors]).toEqual([422, [{ path, message }]]);
  });
});
