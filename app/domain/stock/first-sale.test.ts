/** From a migrated, empty database to the first customer's first request: the steps of docs/operating.md. */
import { expect, it } from "vitest";
import { call } from "../../testing/api-client.ts";
import { createWorld, payWith } from "../../testing/world.ts";
import type { RecordKind } from "../catalogue/record-kinds.ts";
import { createRecord } from "./change-records.server.ts";
import { loadReferenceData } from "./reference-data.server.ts";

it("An empty catalogue is stocked, and the first customer buys a route and reads its data with a key", async () => {
  const world = await createWorld({ catalogue: "empty" });
  try {
    const operator = await world.operator();
    const add = (kind: RecordKind, values: Record<string, string>) =>
      createRecord(world.ctx, operator, { kind, values });

    expect(await loadReferenceData(world.ctx, operator)).toEqual({ regions: 15, ports: 624 });
    expect(await loadReferenceData(world.ctx, operator)).toEqual({ regions: 0, ports: 0 });
    await add("carrier", { record_code: "NSL1", name: "North Sea Line", cargo_types: "container" });
    await add("trade_lane", {
      record_code: "EAS-NEU",
      name: "Asia – North Europe",
      origin_region_code: "EAS",
      destination_region_code: "NEU",
      haul: "head_haul",
      base_price: "120.00",
      valid_from: "2026-11-20",
    });
    await add("route_group", {
      record_code: "EAS-NEU-C",
      name: "China to North Europe, containers",
      trade_lane_code: "EAS-NEU",
      cargo_type: "container",
    });
    await add("route", {
      record_code: "C-CNSHA-NLRTM-NSL1",
      name: "Shanghai – Rotterdam",
      route_group_code: "EAS-NEU-C",
      carrier_code: "NSL1",
      // The official code of CNSHA.
      origin_unlocode: "CNSGH",
      destination_unlocode: "NLRTM",
      distance_nm: "10537",
      standard_days: "32",
      sailings_per_week: "1",
      departure_weekdays: "TUE",
    });
    const { code } = await add("period", {
      record_code: "",
      route_code: "C-CNSHA-NLRTM-NSL1",
      starts_on: "2026-10-01",
      ends_on: "",
      freshness: "daily",
    });
    expect(code).toBe("C-CNSHA-NLRTM-NSL1/2026-10-01");

    const { token, account } = await world.account("first-customer");
    const catalogue = await call(world, "GET", "/route-access/all-routes?origin=CNSHA", { token });
    const [route] = catalogue.body.routes;
    const intent = await call(world, "POST", "/subscriptions/create-payment-intent", {
      token,
      body: { period_id: route.periods[0].period_id, subscription_term: "1_month" },
    });
    // 120.00 for daily data at the lowest popularity: × 1.25 × 0.80.
    expect(intent.body.amount_cents).toBe(12_000);
    const { payment_intent_id: id, client_secret: clientSecret } = intent.body;
    expect(await payWith(world, { id, clientSecret })).toBe(200);
    const paid = await call(world, "POST", "/subscriptions/payment-success", {
      token,
      body: { payment_intent_id: id },
    });
    expect(paid.body.subscriptions).toMatchObject([{ route_name: "Shanghai – Rotterdam", status: "active" }]);

    const key = await call(world, "POST", "/api-keys/generate", {
      token,
      body: { api_key_name: "First key", user: account.username },
    });
    const credentials = { secret: key.body.api_key, user: account.username };
    const data = await call(world, "GET", `/api-routes-data?id=${route.id}`, { key: credentials });
    expect(data.status).toBe(200);
    expect(data.body.code).toBe("C-CNSHA-NLRTM-NSL1");
    expect(data.body.waypoints.length).toBeGreaterThan(10);
    expect(world.complaints).toEqual([]);
  } finally {
    await world.close();
  }
});
