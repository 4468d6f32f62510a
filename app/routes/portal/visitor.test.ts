/** What visitors choose, and that it is still there once they have an account. Tested through the pages. */
import { createCookie } from "@remix-run/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { maxOrderItems } from "#app/domain/payments/order.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { action as basketForm, loader as basketPage } from "./basket.tsx";
import { action as register, loader as registerPage } from "./register.tsx";
import { action as routeForm, loader as routePage } from "./routes/route.tsx";
import { action as signIn } from "./sign-in.tsx";
import { loader as verifyEmailPage } from "./verify-email.tsx";

const site = "http://localhost:3000";
let portal: Awaited<ReturnType<typeof openPortalService>>;
let routeId: string;
beforeAll(async () => {
  portal = await openPortalService("visited");
  const { lines } = await basketWith([[portal.periodId, "1_month"]]);
  routeId = String(lines[0]?.routeId);
});
afterAll(() => portal.close());

/** A minimal browser that keeps cookies. */
const browser = () => {
  const jar = new Map<string, string>();
  const incoming = (path: string, init: RequestInit = {}) => ({
    request: new Request(site + path, {
      ...init,
      headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
    }),
    params: { route_id: /\/routes\/(\d+)/.exec(path)?.[1] },
    context: {},
  });
  return {
    jar,
    open: <Data>(loader: (args: never) => Promise<Data>, path: string): Promise<Data> =>
      loader(incoming(path) as never),
    /** Submits a form. @returns where it redirects to */
    send: async (action: (args: never) => Promise<unknown>, path: string, form: Record<string, string>) => {
      const init = { method: "POST", body: new URLSearchParams(form) };
      const response = await action(incoming(path, init) as never).catch((thrown: unknown) => thrown);
      if (!(response instanceof Response)) throw new Error(`The form came back: ${JSON.stringify(response)}`);
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0/.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
      return response.headers.get("Location") ?? "";
    },
  };
};

const cookieValue = async (name: string, value: unknown): Promise<string> =>
  (await createCookie(name).serialize(value)).split(";")[0]?.slice(name.length + 1) ?? "";

/** The basket page with this value in the basket's cookie. */
const basketWith = async (value: unknown) => {
  const visitor = browser();
  visitor.jar.set("srds_basket", await cookieValue("srds_basket", value));
  return visitor.open(basketPage, "/basket");
};

const newAccount = (username: string) => ({
  email: `${username}@example.com`,
  username,
  password: "correct horse battery",
});

const nextOf = (path: string) => new URL(path, site).searchParams.get("next") ?? "";

describe("A visitor who subscribes", () => {
  const choose = (visitor: ReturnType<typeof browser>) =>
    visitor.send(routeForm, `/routes/${routeId}`, {
      intent: "subscribe",
      period_id: String(portal.periodId),
      term: "6_months",
    });

  it("is asked to register, and comes back to the term and the renewal chosen", async () => {
    const visitor = browser();
    const registration = await choose(visitor);
    expect(registration).toMatch(/^\/register\?next=/);
    const back = await visitor.send(register, registration, {
      ...newAccount("subscriber"),
      next: nextOf(registration),
    });
    expect(back).toBe(`/routes/${routeId}?offer=${portal.periodId}&term=6_months&auto_renew=off#subscribe`);
    const page = await visitor.open(routePage, back);
    expect(page).toMatchObject({ signedIn: true, choice: { term: "6_months", autoRenew: false } });
    expect(page.offers[page.chosenOffer]?.id).toBe(portal.periodId);
  });

  it("comes back to it after signing in, too", async () => {
    const visitor = browser();
    const registration = await choose(visitor);
    const { email, password } = newAccount("visited");
    const back = await visitor.send(signIn, "/sign-in", { email, password, next: nextOf(registration) });
    expect(back).toBe(nextOf(registration));
  });

  it("is led back to it by the page that confirms the e-mail address", async () => {
    const visitor = browser();
    const next = nextOf(await choose(visitor));
    await visitor.send(register, "/register", { ...newAccount("confirming"), next });
    expect(await visitor.open(verifyEmailPage, "/verify-email")).toMatchObject({ returnPath: next });
  });

  it("is led back by the registration page, if signed in already", async () => {
    const visitor = browser();
    const next = nextOf(await choose(visitor));
    await visitor.send(register, "/register", { ...newAccount("already"), next });
    const again = visitor.open(registerPage, `/register?${new URLSearchParams({ next })}`);
    const response: unknown = await again.catch((thrown: unknown) => thrown);
    expect(response instanceof Response && response.headers.get("Location")).toBe(next);
  });
});

describe("No page leads to another site", () => {
  const foreign = ["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "javascript:alert(1)"];

  it.each(foreign)("after registering with the destination %s", async (next) => {
    const name = `lured-${foreign.indexOf(next)}`;
    expect(await browser().send(register, "/register", { ...newAccount(name), next })).toBe("/");
  });

  it.each([...foreign, `/${"x".repeat(5_000)}`, 7, { to: "/" }])("by the cookie of registration: %j", async (value) => {
    const visitor = browser();
    visitor.jar.set("srds_return", await cookieValue("srds_return", value));
    expect(await visitor.open(verifyEmailPage, "/verify-email")).toMatchObject({ returnPath: "/" });
  });
});

it.each(["offer=x&term=forever&auto_renew=maybe", "offer=-1&term=&auto_renew=", "offer=9e99", ""])(
  "A choice that cannot be read is the default one: ?%s",
  async (search) => {
    const page = await browser().open(routePage, `/routes/${routeId}?${search}`);
    expect(page).toMatchObject({ chosenOffer: 0, choice: { term: "3_months", autoRenew: true } });
  },
);

describe("A visitor's basket", () => {
  it("is priced, and joins what the account's holder does next", async () => {
    const visitor = browser();
    const form = { period_id: String(portal.periodId), term: "12_months" };
    await visitor.send(routeForm, `/routes/${routeId}`, { intent: "add", ...form, auto_renew: "on" });
    const page = await visitor.open(basketPage, "/basket");
    expect(page).toMatchObject({ count: 1, autoRenew: true, signedIn: false, volumePercent: 0 });
    const registration = await visitor.send(basketForm, "/basket", { intent: "pay" });
    expect(registration).toBe("/register?next=%2Fbasket");
    const next = nextOf(registration);
    expect(await visitor.send(register, registration, { ...newAccount("filler"), next })).toBe("/basket");
    const own = await visitor.open(basketPage, "/basket");
    expect(own).toMatchObject({ count: 1, autoRenew: false, signedIn: true, totals: page.totals });
    expect(own.lines).toMatchObject([{ periodId: portal.periodId, term: "12_months" }]);
    expect(await visitor.send(basketForm, "/basket", { intent: "pay" })).toMatch(/^\/checkout\/\d+$/);
  });

  it("remembers that it was not to renew, from the route's page on", async () => {
    const visitor = browser();
    const form = { intent: "add", period_id: String(portal.periodId), term: "12_months" };
    await visitor.send(routeForm, `/routes/${routeId}`, form);
    expect(await visitor.open(basketPage, "/basket")).toMatchObject({ autoRenew: false });
  });

  it.each([
    ["no list", "basket"],
    ["another shape", { items: [["x"]], autoRenew: true }],
    ["an unknown term", [[1, "forever"]]],
    ["an impossible id", [[2 ** 53, "1_month"]]],
    ["more routes than an order may have", Array.from({ length: maxOrderItems + 1 }, (_, i) => [i + 1, "1_month"])],
  ])("is empty when its cookie has %s", async (_, value) => {
    expect(await basketWith(value)).toMatchObject({ count: 0, autoRenew: true });
  });

  it("has each period once, whatever its cookie says", async () => {
    const twice = [portal.periodId, portal.periodId].map((id) => [id, "1_month"]);
    expect(await basketWith({ items: twice, autoRenew: false })).toMatchObject({ count: 1, autoRenew: false });
  });

  it("is read from a cookie of the time before it kept auto-renewal", async () => {
    expect(await basketWith([[portal.periodId, "2_months"]])).toMatchObject({ count: 1, autoRenew: true });
  });
});
