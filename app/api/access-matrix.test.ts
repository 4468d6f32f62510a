/** The access matrix: every endpoint with every kind of caller. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accounts } from "#drizzle/schema/index.ts";
import { openSession } from "../domain/accounts/session.server.ts";
import { watch } from "../domain/alerts/watchlist.server.ts";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { setKeyStatus } from "../domain/api-keys/manage.server.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { checkout } from "../domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "../domain/subscriptions/settle.server.ts";
import { sendTestEvent } from "../domain/webhooks/deliveries.server.ts";
import { createEndpoint } from "../domain/webhooks/manage.server.ts";
import { type CallOptions, call } from "../testing/api-client.ts";
import { createWorld, payWith, type World } from "../testing/world.ts";
import { contracts } from "./contracts/all.ts";
import type { Contract } from "./endpoint.ts";

/** An account with a subscription, keys and an order, and what belongs to it. */
type Holder = {
  token: string;
  key: { secret: string; user: string };
  inactiveKey: { secret: string; user: string };
  keyId: number;
  spareKeyId: number;
  rotatedKeyId: number;
  subscriptionId: number;
  watchId: number;
  /** For requests that use one up. */
  spareWatchIds: number[];
  paymentIntentId: string;
  webhookId: number;
  spareWebhookId: number;
  deliveryId: number;
};
type Target = { path?: string; query?: string; body?: unknown };

let world: World;
let routeId: number;
let periodId: number;
let holder: Holder;
let stranger: Holder;
let suspended: Holder;
let lapsed: Holder;

const now = "2026-11-20T09:30:00Z";
const webhook = { url: "http://127.0.0.1:4000/", event_types: ["data.changed" as const], description: "" };
const origin = { ipAddress: null, userAgent: null };

/** A request about the account's own records, for each endpoint. */
const requests: Record<string, (own: Holder) => Target> = {
  register: () => ({ body: { email: "new@example.com", password: "correct horse battery", username: "new-one" } }),
  login: () => ({ body: { email: "holder@example.com", password: "correct horse battery" } }),
  refresh: () => ({}),
  logout: () => ({}),
  generateApiKey: () => ({ body: { api_key_name: "one more", user: "holder" } }),
  listApiKeys: () => ({}),
  getApiKey: ({ keyId }) => ({ path: `/api-keys/${keyId}` }),
  setApiKeyStatus: ({ keyId }) => ({ path: `/api-keys/${keyId}/status`, body: { status: "active" } }),
  reportLeakedKey: () => ({ body: { api_key: "srd_live_unknown" } }),
  setApiKeyAllowedAddresses: ({ keyId }) => ({
    path: `/api-keys/${keyId}/allowed-addresses`,
    body: { allowed_addresses: null },
  }),
  setApiKeyLimit: ({ keyId }) => ({ path: `/api-keys/${keyId}/limit`, body: { hourly_limit: null } }),
  setApiKeyExpiry: ({ keyId }) => ({ path: `/api-keys/${keyId}/expiry`, body: { expires_at: null } }),
  rotateApiKey: ({ rotatedKeyId }) => ({ path: `/api-keys/${rotatedKeyId}/rotate`, body: { overlap_hours: 24 } }),
  deleteApiKey: ({ spareKeyId }) => ({ path: `/api-keys/${spareKeyId}` }),
  exportApiKeys: () => ({}),
  listRegions: () => ({}),
  listTradeLanes: () => ({ query: "origin_region=EAS" }),
  listRouteGroups: () => ({ query: "cargo_type=container" }),
  listPorts: () => ({ query: "q=shanghai" }),
  listCarriers: () => ({}),
  suggestPorts: () => ({ query: "q=shanghai" }),
  exportCatalogue: () => ({}),
  listRoutes: () => ({ query: "q=shanghai" }),
  getRouteDataByKey: () => ({ query: `id=${routeId}` }),
  getRouteData: () => ({ query: `id=${routeId}` }),
  listReports: () => ({ query: `route_id=${routeId}` }),
  compareRoutes: () => ({ query: "origin=CNSHA&destination=NLRTM" }),
  listBenchmarks: () => ({ query: "trade_lane=EAS-NEU" }),
  listSchedules: () => ({ query: "origin=CNSHA" }),
  listChanges: () => ({ query: `route_id=${routeId}` }),
  followChanges: () => ({ query: `route_id=${routeId}` }),
  checkAccess: () => ({ body: { route_id: routeId } }),
  calculateSingleRoutePrice: () => ({ body: { period_id: periodId, subscription_term: "1_month" } }),
  calculateSubscriptionPrice: () => ({ body: { items: [{ period_id: periodId, subscription_term: "1_month" }] } }),
  createPaymentIntent: () => ({ body: { period_id: periodId, subscription_term: "1_month" } }),
  paymentSuccess: ({ paymentIntentId }) => ({ body: { payment_intent_id: paymentIntentId } }),
  listMySubscriptions: () => ({}),
  listUpcomingExpirations: () => ({}),
  cancelSubscription: ({ subscriptionId }) => ({ path: `/subscriptions/${subscriptionId}/cancel` }),
  resumeSubscription: ({ subscriptionId }) => ({ path: `/subscriptions/${subscriptionId}/resume` }),
  setAutoRenew: ({ subscriptionId }) => ({
    path: `/subscriptions/${subscriptionId}/auto-renew`,
    body: { auto_renew: true },
  }),
  renewSubscription: ({ subscriptionId }) => ({ path: `/subscriptions/${subscriptionId}/renew`, body: {} }),
  changeTerm: ({ subscriptionId }) => ({
    path: `/subscriptions/${subscriptionId}/change-term`,
    body: { subscription_term: "12_months" },
  }),
  renewSubscriptions: ({ subscriptionId }) => ({ body: { subscription_ids: [subscriptionId] } }),
  cancelSubscriptions: ({ subscriptionId }) => ({ body: { subscription_ids: [subscriptionId] } }),
  setAutoRenewOfSeveral: ({ subscriptionId }) => ({ body: { subscription_ids: [subscriptionId], auto_renew: true } }),
  listInvoices: () => ({}),
  exportBillingHistory: () => ({}),
  listStatements: () => ({}),
  getStatement: () => ({ path: "/subscriptions/statements/2026-11" }),
  exportStatement: () => ({ path: "/subscriptions/statements/2026-11/export" }),
  listWatches: () => ({}),
  createWatch: () => ({ body: { route_id: routeId } }),
  getWatch: ({ watchId }) => ({ path: `/watchlist/${watchId}` }),
  setWatchRules: ({ watchId }) => ({ path: `/watchlist/${watchId}`, body: { rules: { stale_data: true } } }),
  deleteWatch: ({ spareWatchIds }) => ({ path: `/watchlist/${spareWatchIds.pop() ?? 0}` }),
  listAlerts: () => ({ query: "unread=true" }),
  markAlertsRead: () => ({ body: { up_to: 1 } }),
  listUsageLogs: () => ({}),
  getApiCallUsage: () => ({ query: "period=days" }),
  getMyStats: () => ({}),
  createWebhookEndpoint: () => ({ body: webhook }),
  listWebhookEndpoints: () => ({}),
  getWebhookEndpoint: ({ webhookId }) => ({ path: `/webhooks/${webhookId}` }),
  changeWebhookEndpoint: ({ webhookId }) => ({ path: `/webhooks/${webhookId}`, body: webhook }),
  deleteWebhookEndpoint: ({ spareWebhookId }) => ({ path: `/webhooks/${spareWebhookId}` }),
  setWebhookEndpointStatus: ({ webhookId }) => ({
    path: `/webhooks/${webhookId}/status`,
    body: { status: "enabled" },
  }),
  rotateWebhookSecret: ({ webhookId }) => ({ path: `/webhooks/${webhookId}/rotate-secret` }),
  sendWebhookTest: ({ webhookId }) => ({ path: `/webhooks/${webhookId}/test` }),
  listWebhookDeliveries: ({ webhookId }) => ({ path: `/webhooks/${webhookId}/deliveries` }),
  getWebhookDelivery: ({ webhookId, deliveryId }) => ({ path: `/webhooks/${webhookId}/deliveries/${deliveryId}` }),
  replayWebhookDelivery: ({ webhookId, deliveryId }) => ({
    path: `/webhooks/${webhookId}/deliveries/${deliveryId}/replay`,
  }),
  replayFailedWebhooks: ({ webhookId }) => ({
    path: `/webhooks/${webhookId}/replay-failed`,
    body: { since: "2026-11-18" },
  }),
  getOpenApiDocument: () => ({}),
};

/** The status for accounts in a special state; endpoints that are not listed answer as usual. */
const whenSuspended: Record<string, number> = {
  listChanges: 403,
  followChanges: 403,
  listReports: 403,
  listSchedules: 403,
  getRouteDataByKey: 403,
  getRouteData: 403,
  createPaymentIntent: 403,
  renewSubscription: 403,
  changeTerm: 403,
  renewSubscriptions: 403,
};
const whenLapsed: Record<string, number> = {
  listChanges: 403,
  followChanges: 403,
  listReports: 403,
  getRouteDataByKey: 403,
  getRouteData: 403,
  cancelSubscription: 409,
  resumeSubscription: 409,
  setAutoRenew: 409,
  changeTerm: 409,
};
/** Cancelling comes before resuming, so that there is something to resume. */
const whenAllIsWell: Record<string, number> = { register: 201, createWebhookEndpoint: 201, sendWebhookTest: 201 };
/** Endpoints that take an id of the caller's own. */
const ownsIds = new Set([
  "getApiKey",
  "setApiKeyStatus",
  "setApiKeyExpiry",
  "setApiKeyAllowedAddresses",
  "setApiKeyLimit",
  "rotateApiKey",
  "deleteApiKey",
  "paymentSuccess",
  "cancelSubscription",
  "resumeSubscription",
  "setAutoRenew",
  "renewSubscription",
  "changeTerm",
  "renewSubscriptions",
  "cancelSubscriptions",
  "setAutoRenewOfSeveral",
  "getWebhookEndpoint",
  "changeWebhookEndpoint",
  "deleteWebhookEndpoint",
  "setWebhookEndpointStatus",
  "rotateWebhookSecret",
  "sendWebhookTest",
  "listWebhookDeliveries",
  "getWebhookDelivery",
  "replayWebhookDelivery",
  "replayFailedWebhooks",
  "getWatch",
  "setWatchRules",
  "deleteWatch",
]);

beforeAll(async () => {
  world = await createWorld({ now: "2026-06-20T09:30:00Z" });
  const [route] = world.routes.filter(({ code }) => code === "C-CNSHA-NLRTM-PEL9");
  routeId = route?.id ?? 0;
  const buyer = async (name: string, at: string, term: "1_month" | "3_months") => {
    world.clock.set(at);
    const { caller, account } = await world.account(name);
    await world.ctx.db.update(accounts).set({ plan: "enterprise" }).where(eq(accounts.id, account.id));
    const [open] = (
      await call(world, "GET", "/route-access/all-routes?q=shanghai", {
        token: (await openSession(world.ctx, account, "bearer", origin)).token,
      })
    ).body.routes[0].periods;
    periodId = open.period_id;
    const { intent } = await checkout(world.ctx, caller, { items: [{ periodId, term }], autoRenew: true });
    await payWith(world, intent);
    const [subscription] = await confirmPayment(world.ctx, caller, { paymentIntentId: intent.id });
    const issue = (user: string) => issueKey(world.ctx, caller, { api_key_name: "matrix", user });
    const [active, inactive, spare] = [await issue(name), await issue(name), await issue(name)];
    const rotated = await issue(name);
    await setKeyStatus(world.ctx, caller, { id: inactive.id, status: "inactive" });
    const [endpoint, spareEndpoint] = [
      await createEndpoint(world.ctx, caller, webhook),
      await createEndpoint(world.ctx, caller, webhook),
    ];
    const delivery = await sendTestEvent(world.ctx, caller, { endpointId: endpoint.id });
    const watchOf = async (equipmentType: string | null) =>
      (await watch(world.ctx, caller, { target: { routeId, equipmentType } })).id;
    const spareWatchIds: number[] = [];
    for (let subtype = 0; subtype < 20; subtype += 1) {
      spareWatchIds.push(await watchOf(`${subtype < 10 ? 2 : 4}2G${subtype % 10}`));
    }
    return {
      account,
      webhookId: endpoint.id,
      spareWebhookId: spareEndpoint.id,
      deliveryId: delivery.id,
      watchId: await watchOf(null),
      spareWatchIds,
      subscriptionId: subscription?.id ?? 0,
      paymentIntentId: intent.id,
      key: { secret: active.secret, user: name },
      inactiveKey: { secret: inactive.secret, user: name },
      keyId: active.id,
      spareKeyId: spare.id,
      rotatedKeyId: rotated.id,
    };
  };
  const lapsedBuyer = await buyer("lapsed", "2026-07-20T09:30:00Z", "1_month");
  const others = [
    await buyer("holder", now, "3_months"),
    await buyer("stranger", now, "3_months"),
    await buyer("suspended", now, "3_months"),
  ];
  await world.ctx.db.update(accounts).set({ standing: "suspended" }).where(eq(accounts.username, "suspended"));
  const signedIn = async ({ account, ...rest }: (typeof others)[number]): Promise<Holder> => ({
    ...rest,
    token: (await openSession(world.ctx, account, "bearer", origin)).token,
  });
  [holder, stranger, suspended] = (await Promise.all(others.map(signedIn))) as [Holder, Holder, Holder];
  lapsed = await signedIn(lapsedBuyer);
});
afterAll(() => world.close());
beforeEach(() => {
  world.ctx.rateLimiter = memoryRateLimiter();
});

const send = async (contract: Contract, credentials: CallOptions, own: Holder) => {
  const target = requests[contract.id]?.(own) ?? {};
  const path = `${target.path ?? contract.path}${target.query ? `?${target.query}` : ""}`;
  const { status } = await call(world, contract.method, path, {
    ...(target.body === undefined ? {} : { body: target.body }),
    ...credentials,
  });
  return status;
};

const right = ({ access }: Contract, own: Holder): CallOptions =>
  access === "key" ? { key: own.key } : access === "public" ? {} : { token: own.token };

it("The matrix has a row for every endpoint", () => {
  expect(Object.keys(requests).sort()).toEqual(contracts.map(({ id }) => id).sort());
});

const closed = contracts.filter(({ access }) => access !== "public");

describe.each(closed.map((contract) => [contract.id, contract] as const))("%s", (_, contract) => {
  it.each([
    ["anonymous", () => ({})],
    ["a wrong key", () => ({ key: { secret: holder.key.secret.replace(/.$/, "!"), user: "holder" } })],
    ["an inactive key", () => ({ key: holder.inactiveKey })],
    ["the username of somebody else", () => ({ key: { ...holder.key, user: "stranger" } })],
    ["a made-up token", () => ({ token: "k".repeat(40) })],
    ["a portal session's token", () => ({ token: portalToken })],
  ] as [string, () => CallOptions][])("answers 401 to %s", async (_, credentials) => {
    expect(await send(contract, credentials(), holder)).toBe(401);
  });

  it.runIf(contract.access !== "bearer_or_key")("returns 401 for the other kind of credential", async () => {
    const other = contract.access === "key" ? { token: holder.token } : { key: holder.key };
    expect(await send(contract, other, holder)).toBe(401);
  });

  it.runIf(contract.access === "bearer_or_key")("answers a bearer token and an API key alike", async () => {
    expect(await send(contract, { token: holder.token }, holder)).toBe(200);
    expect(await send(contract, { key: holder.key }, holder)).toBe(200);
  });

  it.runIf(contract.access !== "key")("returns 401 for a token older than 24 hours", async () => {
    world.clock.set("2026-11-21T09:30:01Z");
    expect(await send(contract, { token: stranger.token }, stranger)).toBe(401);
    world.clock.set(now);
  });

  it.runIf(ownsIds.has(contract.id))("returns 404 for a record of another account", async () => {
    expect(await send(contract, right(contract, stranger), holder)).toBe(404);
  });

  it("answers a suspended account", async () => {
    expect(await send(contract, right(contract, suspended), suspended)).toBe(
      whenSuspended[contract.id] ?? whenAllIsWell[contract.id] ?? 200,
    );
  });

  it("answers an account whose subscription has expired", async () => {
    expect(await send(contract, right(contract, lapsed), lapsed)).toBe(
      whenLapsed[contract.id] ?? whenAllIsWell[contract.id] ?? 200,
    );
  });
});

let portalToken: string;
beforeAll(async () => {
  const { account } = await world.account("portal-visitor");
  portalToken = (await openSession(world.ctx, account, "portal", origin)).token;
});

/** Some endpoints use up what the next ones need, so each gets a fresh token and records of its own account. */
beforeEach(async () => {
  const refreshed = async (own: Holder | undefined, name: string) => {
    if (!own) return;
    const [row] = await world.ctx.db.select().from(accounts).where(eq(accounts.username, name));
    if (row) own.token = (await openSession(world.ctx, row, "bearer", origin)).token;
  };
  await Promise.all([
    refreshed(holder, "holder"),
    refreshed(stranger, "stranger"),
    refreshed(suspended, "suspended"),
    refreshed(lapsed, "lapsed"),
  ]);
});

it.each(contracts.map((contract) => [contract.id, contract] as const))(
  "%s answers the right caller",
  async (id, contract) => {
    expect(await send(contract, right(contract, holder), holder)).toBe(whenAllIsWell[id] ?? 200);
  },
);
