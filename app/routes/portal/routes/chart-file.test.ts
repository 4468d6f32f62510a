import { afterAll, beforeAll, expect, it } from "vitest";
import { browse } from "#app/domain/catalogue/browse.server.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { payWith } from "#app/testing/world.ts";
import { loader } from "./chart-file.ts";

let portal: Awaited<ReturnType<typeof openPortalService>>;
let routeId: number;
beforeAll(async () => {
  portal = await openPortalService("analyst");
  routeId = (await browse(portal.service.ctx, {}, { limit: 1 })).rows[0]?.id ?? 0;
});
afterAll(() => portal.close());

const fileOf = async (file: string, cookie = portal.cookie): Promise<Response> => {
  const request = new Request(`http://localhost:3000/routes/${routeId}/charts/${file}`, { headers: { cookie } });
  const params = { route_id: String(routeId), file: file.replace(/\?.*/, "") };
  try {
    return await loader({ request, params, context: {} });
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
};

it("needs a sign-in and a subscription to the route", async () => {
  const visitor = await fileOf("rates.csv", "");
  expect([visitor.status, visitor.headers.get("Location")]).toEqual([302, `/sign-in?next=%2Froutes%2F${routeId}`]);
  for (const kind of ["csv", "svg"]) expect((await fileOf(`rates.${kind}`)).status).toBe(403);
});

it("downloads the data and the drawing of the selected chart", async () => {
  const { ctx, testMode } = portal.service;
  if (!testMode) throw new Error("The service is not in test mode");
  const items = [{ periodId: portal.periodId, term: "1_month" as const }];
  const { intent } = await checkout(ctx, portal.caller, { items, autoRenew: false });
  await payWith(testMode, intent);
  await confirmPayment(ctx, portal.caller, { paymentIntentId: intent.id });

  const csv = await fileOf("rates.csv?equipment=22G1&range=3_months");
  expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(csv.headers.get("Content-Disposition")).toBe('attachment; filename="C-CNSHA-NLRTM-PEL9_rates.csv"');
  const [header, ...rows] = (await csv.text()).trim().split("\r\n");
  expect(header).toMatch(/^observed_at,service_level,equipment_type,/);
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThan(15);
  expect(rows.every((row) => row.includes(",standard,22G1,per_container,USD,"))).toBe(true);

  const svg = await fileOf("rates.svg?equipment=22G1&scale=zoomed");
  expect(svg.headers.get("Content-Type")).toBe("image/svg+xml; charset=utf-8");
  const drawing = await svg.text();
  expect(drawing).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  for (const text of [
    "Freight rate",
    "20′ dry (22G1)",
    "not start at zero",
    `/routes/${routeId}`,
    "Last observation",
  ]) {
    expect(drawing).toContain(text);
  }
  expect(drawing).not.toMatch(/ class=| style=|<script/);

  for (const name of ["capacity", "on-time", "transit"]) {
    expect((await fileOf(`${name}.csv`)).status).toBe(200);
    expect((await fileOf(`${name}.svg`)).status).toBe(200);
  }
  expect((await fileOf("weather.svg")).status).toBe(404);
  expect((await fileOf("rates.pdf")).status).toBe(404);
});
