/** How many SQL statements the loaders of each page take together, and how often they wait for the database. */
import { matchRoutes } from "@remix-run/react";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Caller } from "#app/domain/accounts/caller.ts";
import { watch } from "#app/domain/alerts/watchlist.server.ts";
import { issueKey } from "#app/domain/api-keys/issue.server.ts";
import { browse } from "#app/domain/catalogue/browse.server.ts";
import { addDays, dayOf } from "#app/domain/dates.ts";
import { setPlanPrice } from "#app/domain/paid-plans/prices.server.ts";
import { listInvoices } from "#app/domain/payments/invoices.server.ts";
import { payWithTestCard } from "#app/domain/payments/test-card.server.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { openRequest } from "#app/domain/support/ask.server.ts";
import { recordUsage } from "#app/domain/usage/record.server.ts";
import { newRequestId } from "#app/domain/usage/request-id.ts";
import { createEndpoint } from "#app/domain/webhooks/manage.server.ts";
import { webhookTransport } from "#app/domain/webhooks/transport.server.ts";
import routeConfig from "#app/routes.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { countStatements, expectCount } from "#app/testing/statement-count.ts";
import { accounts, subscriptions } from "#drizzle/schema/index.ts";

type Loader = (args: { request: Request; params: object; context: object }) => Promise<unknown>;
type Module = { default?: unknown; loader?: Loader };
const modules = import.meta.glob<Module>(["../{portal,docs}/**/*.{ts,tsx}", "../../root.tsx", "!**/*.test.*"]);
const moduleOf = (file: string): Promise<Module> => {
  const load = modules[file.replace(/^routes\/(portal\/)?/, (_, portal) => (portal ? "./" : "../"))];
  return load ? load() : Promise.resolve({});
};

/** Statements and round trips of a signed-in operator with three subscriptions, by path. `:name` is the id of its own record. */
const pages: Record<string, [statements: number, roundTrips: number]> = {
  "/": [19, 5],
  // With the saved searches of the account.
  "/routes": [8, 4],
  "/routes?q=shanghai": [8, 4],
  "/routes?view=map": [7, 4],
  "/routes?origin=CNSHA&destination=NLRTM": [9, 5],
  "/routes/saved": [3, 2],
  "/routes/:route": [22, 5],
  "/routes/:route/charts": [13, 5],
  "/routes/:route/schedule": [7, 4],
  "/routes/:route/periods/:period": [11, 6],
  "/download": [5, 4],
  "/regions": [5, 2],
  "/regions/EAS": [9, 2],
  "/trade-lanes/EAS-NEU": [9, 2],
  "/route-groups/EAS-NEU-C-CN": [7, 4],
  "/schedule": [4, 3],
  "/compare": [2, 2],
  "/compare?origin=JPYOK&destination=USLAX": [15, 6],
  "/market": [9, 4],
  "/basket": [3, 2],
  "/checkout/:order": [22, 8],
  "/subscriptions": [11, 4],
  "/subscriptions/:subscription": [14, 4],
  "/subscriptions/bulk?id=:subscription": [10, 4],
  "/watchlist": [13, 5],
  "/watchlist/alerts": [3, 2],
  "/watchlist/:watch": [11, 5],
  "/api-keys": [4, 2],
  "/api-keys/:key": [4, 2],
  "/usage": [8, 2],
  "/usage?period=hours": [8, 2],
  "/usage/logs": [4, 2],
  "/usage/requests/:request": [4, 3],
  "/plans": [3, 2],
  "/billing": [15, 4],
  "/billing/details": [3, 2],
  "/billing/cards": [10, 3],
  "/billing/quotes": [3, 2],
  "/billing/statements": [4, 2],
  "/account": [6, 2],
  "/account/security": [6, 2],
  "/account/activity": [3, 2],
  "/account/data": [3, 2],
  "/account/webhooks": [3, 2],
  "/account/webhooks/:endpoint": [5, 4],
  "/account/close": [8, 2],
  "/plan": [8, 2],
  "/plan/professional": [3, 2],
  "/support": [3, 2],
  "/support/new": [2, 2],
  "/terms": [2, 2],
  "/status": [6, 2],
  "/docs": [2, 2],
  "/docs/reference": [2, 2],
  "/operations": [16, 4],
  "/operations/accounts": [3, 2],
  "/operations/accounts/:account": [20, 5],
  "/operations/subscriptions": [9, 3],
  "/operations/periods": [4, 2],
  "/operations/periods/:period": [3, 2],
  "/operations/quotes": [3, 2],
  "/operations/audit": [3, 2],
  "/operations/jobs": [5, 2],
  "/operations/mail": [5, 3],
  "/operations/support": [3, 2],
  "/operations/catalogue": [3, 2],
  "/operations/import": [3, 2],
  "/test-mode/mailbox": [6, 4],
  "/test-mode/time-machine": [3, 2],
  "/account/security/two-factor": [4, 2],
  "/billing/statements/:month": [7, 3],
  "/billing/cards/new": [3, 2],
  "/billing/:invoice": [6, 3],
  "/checkout/:paid_order/done": [13, 5],
  "/operations/catalogue/exchange-rates": [3, 2],
  "/operations/catalogue/plan-prices": [4, 2],
  "/operations/catalogue/ports": [3, 2],
  "/operations/catalogue/ports/new": [3, 2],
  "/operations/jobs/runs": [3, 2],
  "/support/:support_request": [4, 3],
  "/operations/support/:support_request": [5, 2],
};

/** Pages without their own statements, and those that need a record which only a person or a provider makes. */
const notCounted = new Set([
  "routes/docs/changelog.tsx",
  "routes/docs/guide.tsx",
  "routes/docs/operation.tsx",
  "routes/portal/account/webhooks/delivery.tsx",
  "routes/portal/billing/quotes/new.tsx",
  "routes/portal/billing/quotes/quote.tsx",
  "routes/portal/confirm-identity.tsx",
  "routes/portal/forgot-password.tsx",
  "routes/portal/legal/privacy.tsx",
  "routes/portal/not-found.tsx",
  "routes/portal/operations/accounts/refund.tsx",
  "routes/portal/operations/catalogue/record.tsx",
  "routes/portal/operations/import/import.tsx",
  "routes/portal/operations/quotes/quote.tsx",
  "routes/portal/register.tsx",
  "routes/portal/reset-password.tsx",
  "routes/portal/sign-in-two-factor.tsx",
  "routes/portal/sign-in.tsx",
  "routes/portal/subscriptions/pay.tsx",
  "routes/portal/test-mode/authenticate.tsx",
  "routes/portal/verify-email.tsx",
  "routes/portal/watchlist/stop.tsx",
]);

let portal: Awaited<ReturnType<typeof openPortalService>>;
let ids: Record<string, number | string>;
beforeAll(async () => {
  // More than one of each, so that a statement for each one shows.
  portal = await openPortalService("counted", ["C-CNSHA-NLRTM-PEL9", "C-JPYOK-USLAX-BRW9", "C-JPYOK-USLAX-CAL9"]);
  const { ctx, testMode, config } = portal.service;
  const { account } = portal.caller;
  await ctx.db
    .update(accounts)
    .set({ role: "operator", emailVerifiedAt: ctx.clock.now() })
    .where(eq(accounts.id, account.id));
  const caller: Caller<{ scheme: "portal"; sessionId: string }> = portal.caller;
  await setPlanPrice(ctx, { machineUser: "tests" }, { plan: "professional", monthlyCents: 4_900 });
  const { rows: routes } = await browse(ctx, {}, { limit: 3 });
  const items = routes.map(({ periods }) => ({ periodId: periods[0]?.id ?? 0, term: "1_month" as const }));
  const { intent, orderId: paidOrderId } = await checkout(ctx, caller, { items, autoRenew: true });
  const card = { number: "4242424242424242", expMonth: 12, expYear: 2039, cvc: "123" };
  if (!testMode) throw new Error("The service is not in test mode");
  await payWithTestCard(testMode.simulator, intent, card, config.appUrl);
  const [subscription] = await confirmPayment(ctx, caller, { paymentIntentId: intent.id });
  if (!subscription) throw new Error("The payment made no subscription");
  // A month may be longer than the 30 days within which the home page lists ends.
  await ctx.db
    .update(subscriptions)
    .set({ endDate: addDays(dayOf(ctx.clock.now()), 25) })
    .where(eq(subscriptions.accountId, account.id));
  const webhook = { url: "http://127.0.0.1:4000/", event_types: ["data.changed" as const], description: "" };
  const { routeId, id: subscriptionId } = subscription;
  const { id: keyId } = await issueKey(ctx, caller, { api_key_name: "counted", user: "counted" });
  const occurredAt = ctx.clock.now();
  const requestId = newRequestId(occurredAt);
  await recordUsage(ctx, {
    ...{ accountId: account.id, occurredAt, method: "GET", endpoint: "/api-routes-data" },
    ...{ status: 200, durationMs: 1, responseBytes: 1, requestCost: 1 },
    ...{ apiKeyId: keyId, apiKeyName: "counted", routeId, requestId },
  });
  ids = {
    route: routeId,
    period: portal.periodId,
    subscription: subscriptionId,
    account: account.id,
    key: keyId,
    request: requestId,
    month: dayOf(occurredAt).slice(0, 7),
    watch: (await watch(ctx, caller, { target: { routeId, equipmentType: null } })).id,
    endpoint: (await createEndpoint({ ...ctx, webhooks: webhookTransport({ allowPrivate: true }) }, caller, webhook))
      .id,
    invoice: (await listInvoices(ctx, caller))[0]?.id ?? 0,
    paid_order: paidOrderId,
    support_request: (
      await openRequest(ctx, caller, { topic: "data", subject: "Counting", message: "How many?", reference: "" })
    ).id,
    order: (await checkout(ctx, caller, { items: [{ periodId: portal.periodId, term: "1_month" }], autoRenew: true }))
      .orderId,
  };
});
afterAll(() => portal.close());

type Node = { id: string; path?: string; index?: true; children?: Node[] };
const nodeOf = ({ file, path, index, children }: RouteConfigEntry): Node => ({
  id: file,
  ...(path === undefined ? {} : { path }),
  ...(index ? { index } : {}),
  ...(children ? { children: children.map(nodeOf) } : {}),
});
const tree = (routeConfig as RouteConfigEntry[]).map(nodeOf);
const filesOf = (path: string): { files: string[]; params: object } => {
  const { pathname } = new URL(path, "http://localhost");
  const matches = matchRoutes(tree as unknown as Parameters<typeof matchRoutes>[0], pathname) ?? [];
  return {
    files: ["../../root.tsx", ...matches.map(({ route }) => route.id ?? "")],
    params: matches.at(-1)?.params ?? {},
  };
};

/** Runs the loaders of a page at the same time, as Remix does. */
const loadPage = async (path: string): Promise<void> => {
  const { files, params } = filesOf(path);
  const loaders = await Promise.all(files.map(async (file) => (await moduleOf(file)).loader));
  const request = new Request(new URL(path, "http://localhost"), { headers: { Cookie: portal.cookie } });
  const context = {};
  await Promise.all(loaders.map((loader) => loader?.({ request, params, context })));
};

describe("The loaders of a page take these statements and round trips", () => {
  it.each(Object.entries(pages))("%s", async (template, [statements, roundTrips]) => {
    const path = template.replace(/:(\w+)/g, (_, name) => String(ids[name]));
    // The first time fills the caches of what never changes.
    await loadPage(path);
    expectCount(await countStatements(portal.service.ctx.db, () => loadPage(path)), { statements, roundTrips });
  });

  it("and every page has a row", async () => {
    const counted = new Set(Object.keys(pages).flatMap((path) => filesOf(path).files));
    const all = (routeConfig as RouteConfigEntry[]).flatMap(function flat(entry): string[] {
      return [entry.file, ...(entry.children ?? []).flatMap(flat)];
    });
    const missing: string[] = [];
    for (const file of all) {
      const { default: page, loader } = await moduleOf(file);
      if (page && loader && !counted.has(file)) missing.push(file);
    }
    expect(missing.sort()).toEqual([...notCounted].sort());
  });
});
