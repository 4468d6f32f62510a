/**
 * How many SQL statements each reading endpoint takes, and how often it waits for the database, beside what every request
 * with its kind of credential takes.
 */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts } from "#drizzle/schema/index.ts";
import { watch } from "../domain/alerts/watchlist.server.ts";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { sendTestEvent } from "../domain/webhooks/deliveries.server.ts";
import { createEndpoint } from "../domain/webhooks/manage.server.ts";
import { type CallOptions, call } from "../testing/api-client.ts";
import { subscribe } from "../testing/purchases.ts";
import { countStatements, expectCount, type StatementCount } from "../testing/statement-count.ts";
import { createWorld, type World } from "../testing/world.ts";
import { contracts } from "./contracts/all.ts";

type Own = { routeId: number; periodId: number; keyId: number; watchId: number; webhookId: number; deliveryId: number };
type Reading = { query?: string; path?: string; body?: object; takes: [statements: number, roundTrips: number] };

/** What identifying the caller and recording the usage take. A key that was read before is checked by the statement that records. */
const everyRequest = { bearer: [2, 2], key: [1, 1], public: [0, 0] } as const;

/** By the id of the contract. */
const readings: Record<string, (own: Own) => Reading> = {
  listApiKeys: () => ({ takes: [1, 1] }),
  getApiKey: ({ keyId }) => ({ path: `/api-keys/${keyId}`, takes: [1, 1] }),
  exportApiKeys: () => ({ takes: [1, 1] }),
  listRegions: () => ({ takes: [2, 1] }),
  listTradeLanes: () => ({ takes: [2, 1] }),
  listRouteGroups: () => ({ takes: [2, 1] }),
  listPorts: () => ({ takes: [1, 1] }),
  listCarriers: () => ({ takes: [1, 1] }),
  exportCatalogue: () => ({ takes: [2, 2] }),
  listRoutes: () => ({ query: "q=shanghai", takes: [3, 2] }),
  suggestPorts: () => ({ query: "q=shang", takes: [1, 1] }),
  getRouteDataByKey: ({ routeId }) => ({ query: `id=${routeId}`, takes: [0, 0] }),
  getRouteData: ({ routeId }) => ({ query: `id=${routeId}`, takes: [1, 1] }),
  listReports: ({ routeId }) => ({ query: `route_id=${routeId}`, takes: [5, 5] }),
  compareRoutes: () => ({ query: "origin=CNSHA&destination=NLRTM", takes: [8, 3] }),
  listBenchmarks: () => ({ query: "trade_lane=EAS-NEU", takes: [3, 1] }),
  listSchedules: () => ({ query: "origin=CNSHA", takes: [2, 2] }),
  listChanges: ({ routeId }) => ({ query: `route_id=${routeId}`, takes: [6, 6] }),
  checkAccess: ({ routeId }) => ({ body: { route_id: routeId }, takes: [1, 1] }),
  calculateSingleRoutePrice: ({ periodId }) => ({
    body: { period_id: periodId, subscription_term: "1_month" },
    takes: [3, 2],
  }),
  calculateSubscriptionPrice: ({ periodId }) => ({
    body: { items: [{ period_id: periodId, subscription_term: "1_month" }] },
    takes: [3, 2],
  }),
  listMySubscriptions: () => ({ takes: [6, 2] }),
  listUpcomingExpirations: () => ({ query: "days=60", takes: [6, 2] }),
  listInvoices: () => ({ takes: [3, 3] }),
  exportBillingHistory: () => ({ takes: [2, 2] }),
  listStatements: () => ({ takes: [1, 1] }),
  getStatement: () => ({ path: "/subscriptions/statements/2026-11", takes: [5, 2] }),
  exportStatement: () => ({ path: "/subscriptions/statements/2026-11/export", takes: [5, 2] }),
  listWatches: () => ({ takes: [8, 4] }),
  getWatch: ({ watchId }) => ({ path: `/watchlist/${watchId}`, takes: [8, 4] }),
  listAlerts: () => ({ takes: [1, 1] }),
  listUsageLogs: () => ({ takes: [1, 1] }),
  getApiCallUsage: () => ({ query: "period=days", takes: [1, 1] }),
  getMyStats: () => ({ takes: [3, 1] }),
  listWebhookEndpoints: () => ({ takes: [1, 1] }),
  getWebhookEndpoint: ({ webhookId }) => ({ path: `/webhooks/${webhookId}`, takes: [1, 1] }),
  listWebhookDeliveries: ({ webhookId }) => ({ path: `/webhooks/${webhookId}/deliveries`, takes: [2, 2] }),
  getWebhookDelivery: ({ webhookId, deliveryId }) => ({
    path: `/webhooks/${webhookId}/deliveries/${deliveryId}`,
    takes: [2, 2],
  }),
  getOpenApiDocument: () => ({ takes: [0, 0] }),
};

/** It sends events for as long as the client stays. */
const endless = "followChanges";

let world: World;
let own: Own;
let credentials: Record<keyof typeof everyRequest, CallOptions>;
beforeAll(async () => {
  world = await createWorld();
  const { caller, account, token } = await world.account("counted");
  await world.ctx.db.update(accounts).set({ plan: "enterprise" }).where(eq(accounts.id, account.id));
  const { routeId, periodId } = await subscribe(world, caller);
  const { id: keyId, secret } = await issueKey(world.ctx, caller, { api_key_name: "counted", user: "counted" });
  const webhook = { url: "http://127.0.0.1:4000/", event_types: ["data.changed" as const], description: "" };
  const { id: webhookId } = await createEndpoint(world.ctx, caller, webhook);
  const { id: deliveryId } = await sendTestEvent(world.ctx, caller, { endpointId: webhookId });
  const { id: watchId } = await watch(world.ctx, caller, { target: { routeId, equipmentType: null } });
  own = { routeId, periodId, keyId, watchId, webhookId, deliveryId };
  credentials = { bearer: { token }, key: { key: { secret, user: "counted" } }, public: {} };
});
afterAll(() => world.close());
beforeEach(() => {
  world.ctx.rateLimiter = memoryRateLimiter();
});

const countOf = async (method: string, path: string, options: CallOptions, status: number) => {
  const send = () => call(world, method, path, options);
  // The first call fills the caches of what never changes.
  expect((await send()).status).toBe(status);
  return countStatements(world.ctx.db, send);
};

it.each(Object.entries(everyRequest))(
  "takes what every request takes: %s",
  async (access, [statements, roundTrips]) => {
    const path = access === "key" ? "/api-routes-data?id=0" : "/unknown";
    const counted = await countOf(
      "GET",
      path,
      credentials[access as keyof typeof everyRequest],
      access === "key" ? 422 : 404,
    );
    expectCount(counted, { statements, roundTrips });
  },
);

it("has a row for every reading endpoint", () => {
  const reading = contracts.filter(({ method, id }) => (method === "GET" || readings[id]) && id !== endless);
  expect(Object.keys(readings).sort()).toEqual(reading.map(({ id }) => id).sort());
});

describe("beside that takes", () => {
  it.each(contracts.filter(({ id }) => readings[id]).map((contract) => [contract.id, contract] as const))(
    "%s",
    async (id, { method, path: template, access }) => {
      const reading = readings[id]?.(own);
      if (!reading) throw new Error("The row is missing");
      const kind = access === "bearer_or_key" ? "bearer" : access;
      const path = `${reading.path ?? template}${reading.query ? `?${reading.query}` : ""}`;
      const options = { ...credentials[kind], ...(reading.body ? { body: reading.body } : {}) };
      const counted = await countOf(method, path, options, 200);
      const [statements, roundTrips] = reading.takes;
      expectCount(counted, { statements, roundTrips }, everyRequestOf(kind));
    },
  );
});

const everyRequestOf = (kind: keyof typeof everyRequest): StatementCount => {
  const [statements, roundTrips] = everyRequest[kind];
  return { statements, roundTrips };
};
