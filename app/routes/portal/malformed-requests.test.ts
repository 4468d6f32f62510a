/** Malformed URLs and forms must never cause a server error on any page. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createCookie } from "@remix-run/node";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { accounts } from "#drizzle/schema/index.ts";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import { getService, stop } from "../../context.server.ts";
import { register } from "../../domain/accounts/register.server.ts";
import { openSession } from "../../domain/accounts/session.server.ts";
import { issueKey } from "../../domain/api-keys/issue.server.ts";
import { browse } from "../../domain/catalogue/browse.server.ts";
import { importCatalogue } from "../../domain/catalogue/import.server.ts";
import { dayOf } from "../../domain/dates.ts";
import { checkout } from "../../domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "../../domain/subscriptions/settle.server.ts";
import { openRequest } from "../../domain/support/ask.server.ts";
import { searchByParams } from "../../portal/search-params.server.ts";
import routes from "../../routes.ts";
import { cloneDatabase } from "../../testing/database.ts";
import { payWith } from "../../testing/world.ts";

const appFolder = fileURLToPath(new URL("../..", import.meta.url));

type Page = { url: string; file: string };

const pagesOf = (entry: RouteConfigEntry, above = ""): Page[] => {
  const url = entry.path === undefined ? above : `${above}/${entry.path}`;
  return [{ url, file: entry.file }, ...(entry.children ?? []).flatMap((child) => pagesOf(child, url))];
};

const pages = routes.flatMap((entry) => pagesOf(entry)).filter(({ file }) => file.startsWith("routes/portal/"));

const cursorOf = (key: unknown) => Buffer.from(JSON.stringify(key)).toString("base64url");

const oddTexts = ["a\0b", "99999999999", "__proto__"];
const oddDays = ["0000-01-01", "9999-12-31", "2026-02-30", "275760-09-14"];
const oddCursors = [
  [-1],
  [9007199254740991],
  [9007199254740991, 1],
  [1, 9007199254740991],
  ["0000-01-01", 1],
  ["9999-12-31T23:59:59Z", 1],
  ["name", 1e300, "\ud800", 1],
  ["relevance", 1, "a", 2147483648],
  [0, 9007199254740991, 1],
  { __proto__: [1] },
];

const filters = ["q", "cursor", "next", "token", "offer", "sort", "status", "period", "plan", "setup_intent", "view"];
const listFilters = ["region", "account", "actor", "action", "job", "state", "route", "route_id", "endpoint", "type"];

/** Query parameters that pages read, each with unexpected values. */
const oddQueries: string[][][] = [
  ...[...filters, ...listFilters].flatMap((name) => oddTexts.map((text) => [[name, text]])),
  ...oddDays.flatMap((text) => [[["from", text]], [["to", text]], [["to", `${text}T00:00`]]]),
  ...oddCursors.flatMap((key) => [
    [["cursor", cursorOf(key)]],
    [
      ["cursor", cursorOf(key)],
      ["order", "ends"],
    ],
  ]),
  [
    ["q", "a"],
    ["q", "x".repeat(9000)],
  ],
];

const addressOf = (url: string, ids: Record<string, string>, query: string[][] = []): string => {
  const pathname = url.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(ids[name] ?? "1")).replace("*", "nowhere");
  return `http://localhost:3000${pathname}?${new URLSearchParams(query)}`;
};

type Handler = (args: unknown) => unknown;

/** The status of the response. Unexpected errors are rethrown with the request. */
const statusOf = async (handler: Handler, request: Request, params: Record<string, string>): Promise<number> => {
  try {
    const response = await handler({ request, params, context: {} });
    return response instanceof Response ? response.status : 200;
  } catch (thrown) {
    if (thrown instanceof Response) return thrown.status;
    throw new Error(`${request.method} ${request.url.slice(0, 200)}: ${thrown}`, { cause: thrown });
  }
};

const moduleOf = (file: string): Promise<{ loader?: Handler; action?: Handler }> =>
  import(/* @vite-ignore */ path.join(appFolder, file));

/** Pages that do not read their query are skipped. */
const readsItsQuery = (loader: Handler): boolean =>
  /\.url\b/.test(String(loader)) || String(loader).includes(searchByParams.name);

/** The intents of an action's forms, found in its source. */
const intentsIn = (action: Handler): string[] =>
  [...String(action).matchAll(/["']?([\w-]+)["']?: \(?[^\s:]*(?:member|open|operator)Form\)?\(/g)].map(
    ([, name]) => name ?? "",
  );

let close: () => Promise<void>;
let cookie: string;
let ids: Record<string, string>;
beforeAll(async () => {
  const database = await cloneDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("SECRETS_KEY", Buffer.alloc(32, "tests").toString("base64"));
  const { ctx, testMode } = await getService();
  if (!testMode) throw new Error("The simulator is missing");
  const { source } = readDemoCatalogue({ today: dayOf(ctx.clock.now()), routeCodes: ["C-CNSHA-NLRTM-PEL9"] });
  await importCatalogue(ctx, source);
  const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
  const input = { email: "odd@example.com", username: "odd", password: "correct horse battery" };
  const account = await register(ctx, input, origin);
  // An operator with a purchase, who can see every page.
  await ctx.db.update(accounts).set({ role: "operator" }).where(eq(accounts.id, account.id));
  const { token } = await openSession(ctx, account, "portal", origin);
  const caller = { account, proof: { scheme: "portal" as const, sessionId: "" } };
  cookie = (await createCookie("srds_session").serialize(token)).split(";")[0] ?? "";
  const [route] = (await browse(ctx, {}, { limit: 1 })).rows;
  const periodId = route?.periods[0]?.id ?? 0;
  const order = await checkout(ctx, caller, { items: [{ periodId, term: "1_month" }], autoRenew: true });
  await payWith(testMode, order.intent);
  const [subscription] = await confirmPayment(ctx, caller, { paymentIntentId: order.intent.id });
  await issueKey(ctx, caller, { api_key_name: "odd", user: "odd" });
  const supportRequest = await openRequest(ctx, caller, {
    topic: "other",
    subject: "odd",
    message: "odd",
    reference: "",
  });
  ids = {
    route_id: String(route?.id),
    period_id: String(periodId),
    subscription_id: String(subscription?.id),
    order_id: String(order.orderId),
    request_id: String(supportRequest.id),
    account_id: String(account.id),
    code: route?.routeGroup.code ?? "",
    intent_id: order.intent.id,
  };
  close = async () => {
    await stop();
    await database.drop();
  };
});
afterAll(() => close());

const get = (address: string) => new Request(address, { headers: { Cookie: cookie } });

describe("pages", () => {
  it("answer well-formed requests with 200", async () => {
    const seen = await Promise.all(
      ["routes/portal/routes/period.tsx", "routes/portal/route-group.tsx", "routes/portal/support/request.tsx"].map(
        async (file) => {
          const page = pages.find((one) => one.file === file);
          const { loader } = await moduleOf(file);
          return page && loader && statusOf(loader, get(addressOf(page.url, ids)), ids);
        },
      ),
    );
    expect(seen).toEqual([200, 200, 200]);
  });

  // Over a hundred requests each.
  it.each(pages)(
    "answer malformed queries without a server error: $url",
    async ({ url, file }) => {
      const { loader } = await moduleOf(file);
      if (!loader || !readsItsQuery(loader)) return;
      for (const query of oddQueries) {
        expect(await statusOf(loader, get(addressOf(url, ids, query)), ids)).toBeLessThan(500);
      }
    },
    180_000,
  );

  it.each(pages.filter(({ url }) => url.includes(":")))(
    "answer malformed ids without a server error: $url",
    async ({ url, file }) => {
      const { loader } = await moduleOf(file);
      const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
      for (const name of names) {
        for (const text of oddTexts) {
          const params = { ...ids, [name]: text };
          if (loader) expect(await statusOf(loader, get(addressOf(url, params)), params)).toBeLessThan(500);
        }
      }
    },
  );

  it.each(pages)("answer malformed forms without a server error: $url", async ({ url, file }) => {
    const { action } = await moduleOf(file);
    if (!action) return;
    const fields = ["id", "period_id", "job", "term", "email", "token", "message", "last_message_id", "next", "theme"];
    const intents = ["__proto__", "constructor", ...intentsIn(action)];
    // These would end the session or the account that the other tests use.
    const final = ["sign-out", "revoke-all", "revoke-others", "close", "suspend"];
    for (const intent of intents.filter((each) => !final.includes(each))) {
      for (const text of oddTexts) {
        const body = new URLSearchParams([["intent", intent], ...fields.map((name): [string, string] => [name, text])]);
        body.append("id", "1");
        const request = new Request(addressOf(url, ids), { method: "POST", body, headers: { Cookie: cookie } });
        expect(await statusOf(action, request, ids)).toBeLessThan(500);
      }
    }
  });

  it("reject a form that is larger than any of ours with 413", async () => {
    const { action } = await moduleOf("routes/portal/sign-in.tsx");
    const body = new URLSearchParams({ email: "odd@example.com", password: "x".repeat(300_000) });
    const request = new Request("http://localhost:3000/sign-in", { method: "POST", body });
    expect(action && (await statusOf(action, request, {}))).toBe(413);
  });

  it("accept a basket cookie with an impossible id", async () => {
    const basket = await createCookie("srds_basket").serialize([[9007199254740991, "1_month"]]);
    const { loader } = await moduleOf("routes/portal/basket.tsx");
    const headers = { Cookie: `${cookie}; ${basket.split(";")[0]}` };
    const request = new Request("http://localhost:3000/basket", { headers });
    expect(loader && (await statusOf(loader, request, {}))).toBe(200);
  });
});
