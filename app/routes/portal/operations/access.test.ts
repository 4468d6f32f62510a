/** Access to the console: every page and every form of it that `routes.ts` lists. */
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createCookie } from "@remix-run/node";
import type { RouteConfigEntry } from "@remix-run/route-config";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { getService, stop } from "#app/context.server.ts";
import { register } from "#app/domain/accounts/register.server.ts";
import { openSession } from "#app/domain/accounts/session.server.ts";
import routes from "#app/routes.ts";
import { cloneDatabase } from "#app/testing/database.ts";
import { accounts, twoFactors } from "#drizzle/schema/index.ts";
import { loader as today } from "./today.tsx";

type Door = { name: string; open: (cookie: string | null) => Promise<number> };

const appFolder = fileURLToPath(new URL("../../..", import.meta.url));

const pagesOf = (entry: RouteConfigEntry, above = ""): { url: string; file: string }[] => {
  const url = entry.path === undefined ? above : `${above}/${entry.path}`;
  return [{ url, file: entry.file }, ...(entry.children ?? []).flatMap((child) => pagesOf(child, url))];
};

const pages = routes
  .flatMap((entry) => pagesOf(entry))
  .filter(({ url }) => url === "/operations" || url.startsWith("/operations/"));

/** The status that a loader or an action returns or throws. */
const statusOf = async (work: (args: unknown) => unknown, request: Request): Promise<number> => {
  const params = Object.fromEntries(
    ["account_id", "invoice_id", "request_id", "import_id", "period_id"].map((name) => [name, "1"]),
  );
  try {
    const answer = await work({ request, params, context: {} });
    return answer instanceof Response ? answer.status : 200;
  } catch (thrown) {
    if (thrown instanceof Response) return thrown.status;
    throw thrown;
  }
};

const doorsOf = async ({ url, file }: { url: string; file: string }): Promise<Door[]> => {
  const module = await import(/* @vite-ignore */ path.join(appFolder, file));
  const address = `http://localhost:3000${url.replaceAll(/:\w+/g, "1")}`;
  const headers = (cookie: string | null): Record<string, string> => (cookie ? { Cookie: cookie } : {});
  const loader: Door[] = module.loader
    ? [
        {
          name: `GET ${url}`,
          open: (cookie) => statusOf(module.loader, new Request(address, { headers: headers(cookie) })),
        },
      ]
    : [];
  const intents = module.action ? intentsIn(String(module.action)) : [];
  const actions = intents.map(
    (intent): Door => ({
      name: `POST ${url} ${intent}`,
      open: (cookie) => {
        const body = new URLSearchParams({ intent });
        return statusOf(module.action, new Request(address, { method: "POST", body, headers: headers(cookie) }));
      },
    }),
  );
  return [...loader, ...actions];
};

/** The intents of an action, read from its source. An action without intents is called with an empty one. */
const intentsIn = (action: string): string[] => {
  expect(action, "a form of the console is an operator's").not.toMatch(/(member|open)Form/);
  const named = [...action.matchAll(/["']?([\w-]+)["']?: \(?[^\s:]*operatorForm\)?\(/g)].map(([, name]) => name ?? "");
  expect(named).toHaveLength(action.split("operatorForm").length - 1);
  return named.length === 0 ? [""] : named;
};

let close: () => Promise<void>;
let operatorId: number;
let cookies: { holder: string; operator: string };
beforeAll(async () => {
  const database = await cloneDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("SECRETS_KEY", Buffer.alloc(32, "tests").toString("base64"));
  const { ctx } = await getService();
  const cookie = createCookie("srds_session");
  const signedIn = async (name: string) => {
    const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
    const input = { email: `${name}@example.com`, username: name, password: "correct horse battery" };
    const account = await register(ctx, input, origin);
    if (name === "operator") {
      operatorId = account.id;
      await ctx.db.update(accounts).set({ role: "operator" }).where(eq(accounts.id, account.id));
    }
    const { token } = await openSession(ctx, account, "portal", origin);
    return (await cookie.serialize(token)).split(";")[0] ?? "";
  };
  cookies = { holder: await signedIn("holder"), operator: await signedIn("operator") };
  close = async () => {
    await stop();
    await database.drop();
  };
});
afterAll(() => close());

describe("The console", () => {
  it("redirects visitors to the sign-in and returns 404 to account holders, on every page and form", async () => {
    const doors = (await Promise.all(pages.map(doorsOf))).flat();
    const seen = await Promise.all(
      doors.map(async ({ name, open }) => [name, await open(null), await open(cookies.holder)]),
    );
    expect(seen).toEqual(doors.map(({ name }) => [name, 302, 404]));
    expect(doors.map(({ name }) => name)).toContain("POST /operations/accounts/:account_id sign-out");
    expect(doors.length).toBeGreaterThan(pages.length);
  });

  it("leads operators without a second factor to the page that sets one up, outside test mode, on every page and form", async () => {
    const { ctx } = await getService();
    const { settings } = ctx;
    ctx.settings = { ...settings, testMode: false };
    try {
      const doors = (await Promise.all(pages.map(doorsOf))).flat();
      const seen = await Promise.all(doors.map(async ({ name, open }) => [name, await open(cookies.operator)]));
      expect(seen).toEqual(doors.map(({ name }) => [name, 302]));
      const request = new Request("http://localhost:3000/operations", { headers: { Cookie: cookies.operator } });
      const sent = await Promise.resolve(today({ request, params: {}, context: {} })).catch((thrown) => thrown);
      expect(sent.headers.get("Location")).toBe("/account/security/two-factor?for=operations");
      const row = { sealedSecret: new Uint8Array(20), createdAt: ctx.clock.now(), confirmedAt: ctx.clock.now() };
      await ctx.db.insert(twoFactors).values({ accountId: operatorId, ...row });
      const [page] = await doorsOf({ url: "/operations", file: "routes/portal/operations/today.tsx" });
      expect(await page?.open(cookies.operator)).toBe(200);
    } finally {
      ctx.settings = settings;
    }
  });

  it("admits operators", async () => {
    const [today] = await doorsOf({ url: "/operations", file: "routes/portal/operations/today.tsx" });
    expect(await today?.open(cookies.operator)).toBe(200);
  });
});
