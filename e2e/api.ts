/** API calls as an account's programs make them: to test the API, or to set up a journey without the browser. */
import { type APIRequestContext, type APIResponse, expect } from "playwright/test";
import type { NewAccount } from "./account.ts";

export const card = {
  works: "4242424242424242",
  /** Succeeds now, and is declined at the renewal. */
  declinedLater: "4000000000000341",
};

export type Subscription = {
  id: number;
  route_id: number;
  route_name: string;
  subscription_term: string;
  start_date: string;
  end_date: string;
  status: string;
  auto_renew: boolean;
  next_charge: { date: string; amount_cents: number } | null;
  renewal: {
    state: string;
    next_attempt_on: string | null;
    amount_cents: number | null;
    price_change: { previous_amount_cents: number; reasons: string[]; capped: boolean } | null;
    last_failure: { code: string; message: string; at: string } | null;
  };
};

export type Invoice = {
  id: number;
  number: string;
  kind: string;
  amount_cents: number;
  lines: { route_id: number; total_cents: number; volume_discount_percent: number; credit_cents: number }[];
};

type CatalogueRoute = { id: number; name: string; periods: { period_id: number }[] };

export type RouteOnSale = { id: number; name: string; periodId: number };
export type Key = { id: number; secret: string; user: string };

export type Api = Awaited<ReturnType<typeof signIn>>;

/** Signs in for a bearer token. It expires after a day of the service's clock. */
export const signIn = async (
  request: APIRequestContext,
  { email, password }: Pick<NewAccount, "email" | "password">,
) => {
  const login = await request.post("/api/auth/login", { data: { email, password } });
  expect(login.status()).toBe(200);
  const headers = { Authorization: `Bearer ${(await login.json()).access_token}` };
  const ask = (method: string, path: string, data?: unknown): Promise<APIResponse> =>
    request.fetch(`/api${path}`, { method, headers, ...(data === undefined ? {} : { data }) });
  const answerOf = async (method: string, path: string, data?: unknown) => {
    const answer = await ask(method, path, data);
    expect([path, answer.status(), answer.ok() ? "" : await answer.text()]).toEqual([path, 200, ""]);
    return answer.json();
  };

  const subscriptions = async (): Promise<Subscription[]> =>
    (await answerOf("GET", "/subscriptions/my-routes")).subscriptions;

  return {
    ask,
    /** Routes from Shanghai, each to another port. */
    routesOnSale: async (count: number): Promise<RouteOnSale[]> => {
      const { routes } = await answerOf("GET", "/route-access/all-routes?origin=CNSHA&limit=100");
      const byName = new Map<string, RouteOnSale>(
        routes.map(({ id, name, periods }: CatalogueRoute) => [
          name,
          { id, name, periodId: periods[0]?.period_id ?? 0 },
        ]),
      );
      if (byName.size < count) throw new Error(`Shanghai has ${byName.size} routes on sale`);
      return [...byName.values()].slice(0, count);
    },
    /** The price of an order with these items. */
    quote: (items: { period_id: number; subscription_term: string }[]): Promise<{ total_cents: number }> =>
      answerOf("POST", "/subscriptions/calculate-subscription-price", { items }),
    buy: async (
      route: RouteOnSale,
      { term = "1_month", autoRenew = true, number = card.works } = {},
    ): Promise<Subscription> => {
      const order = { period_id: route.periodId, subscription_term: term, auto_renew: autoRenew };
      const intent = await answerOf("POST", "/subscriptions/create-payment-intent", order);
      await payIntent(request, intent, number);
      const id = { payment_intent_id: intent.payment_intent_id };
      return (await answerOf("POST", "/subscriptions/payment-success", id)).subscriptions[0];
    },
    subscriptions,
    subscription: async (id: number): Promise<Subscription> => {
      const one = (await subscriptions()).find((subscription) => subscription.id === id);
      if (!one) throw new Error(`There is no subscription ${id}`);
      return one;
    },
    /** Newest first. */
    invoices: async (): Promise<Invoice[]> => (await answerOf("GET", "/subscriptions/invoices")).invoices,
    createKey: async (name: string, user: string): Promise<Key> => {
      const key = await answerOf("POST", "/api-keys/generate", { api_key_name: name, user });
      return { id: key.id, secret: key.api_key, user };
    },
  };
};

/** Confirms the payment as Stripe.js does in a browser. */
const payIntent = async (
  request: APIRequestContext,
  intent: { payment_intent_id: string; client_secret: string },
  number: string,
): Promise<void> => {
  const form = {
    client_secret: intent.client_secret,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": number,
    "payment_method_data[card][exp_month]": "12",
    "payment_method_data[card][exp_year]": "2039",
    "payment_method_data[card][cvc]": "123",
  };
  const url = `/test-mode/stripe/v1/payment_intents/${intent.payment_intent_id}/confirm`;
  expect((await request.post(url, { form })).status()).toBe(200);
};

/** Requests route data with the two key headers only. @returns the status */
export const readByKey = async (
  request: APIRequestContext,
  routeId: number,
  { secret, user }: Pick<Key, "secret" | "user">,
): Promise<number> => {
  const headers = { "X-API-Key": secret, "X-Username": user };
  return (await request.get(`/api/api-routes-data?id=${routeId}`, { headers })).status();
};

export type Mail = { id: number; to: string; subject: string; text: string };

/** Newest first. */
export const mailTo = async (request: APIRequestContext, address: string): Promise<Mail[]> => {
  const { messages } = await (await request.get("/test-mode/mailbox.json")).json();
  return messages.filter(({ to }: Mail) => to === address);
};
