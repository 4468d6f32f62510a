/** Accounts that read and buy, with no limit of their own in the way. */
import type { Sql } from "postgres";
import { askFor } from "./ask.ts";

export type Buyer = { bearer: Record<string, string>; periods: number[]; unconfirmed: string[] };
export type Reader = { accountId: number; routeId: number; headers: Record<string, string> };

export type Customers = {
  readers: Reader[];
  /** Signed in beforehand: attempts to sign in during a fault use up their hourly budget. By process. */
  buyers: Buyer[][];
  /** Another account, with all periods left to buy. */
  anotherBuyer(): Promise<Buyer>;
};

const password = "correct horse battery";
const accountsInStock = 400;

type Listed = { routes: { id: number; periods: { period_id: number }[] }[] };
type Intent = { payment_intent_id: string; client_secret: string };

export const openCustomers = async (
  url: () => string,
  sql: Sql,
  pay: (intent: { id: string; clientSecret: string }) => Promise<void>,
  { readers: readerCount, processes, buyersEach }: { readers: number; processes: number; buyersEach: number },
): Promise<Customers> => {
  const api = <Document>(path: string, bearer: Record<string, string>, body?: object): Promise<Document> =>
    askFor(`${url()}/api${path}`, body ? { method: "POST", headers: bearer, body } : { headers: bearer });
  // Each signs in from a network of its own, because scenarios may use up what one is allowed.
  const from = (network: number) => ({ "X-Forwarded-For": `2001:db8:${(network % 0xffff).toString(16)}::1` });
  await api("/auth/register", from(0), { email: "customer-0@example.com", username: "customer-0", password });
  // The others have the same password: one hash is enough.
  await sql`
    insert into accounts (email, username, password_hash, plan, created_at)
    select 'customer-' || number || '@example.com', 'customer-' || number, password_hash, 'enterprise', created_at
    from accounts, generate_series(1, ${accountsInStock}) as number where username = 'customer-0'`;
  await sql`
    update accounts set plan = 'enterprise', custom_hourly_limit = 100000000, email_verified_at = created_at,
      custom_discount_percent = 10
    where username like 'customer-%'`;

  let next = 0;
  const signIn = async () => {
    const network = next;
    const username = `customer-${next++ % accountsInStock}`;
    const login = { email: `${username}@example.com`, password };
    const { access_token } = await api<{ access_token: string }>("/auth/login", from(network), login);
    return { username, bearer: { Authorization: `Bearer ${access_token}` } };
  };
  const listing = async (bearer: Record<string, string>) =>
    (await api<Listed>("/route-access/all-routes?limit=100", bearer)).routes;

  const readers: Reader[] = [];
  for (let index = 0; index < readerCount; index++) {
    const { username, bearer } = await signIn();
    const route = (await listing(bearer)).filter(({ periods }) => periods.length > 0)[index];
    const period = route?.periods[0];
    if (!route || !period) throw new Error("There is no route to read");
    const order = { period_id: period.period_id, subscription_term: "1_month", auto_renew: false };
    const intent = await api<Intent>("/subscriptions/create-payment-intent", bearer, order);
    await pay({ id: intent.payment_intent_id, clientSecret: intent.client_secret });
    await api("/subscriptions/payment-success", bearer, { payment_intent_id: intent.payment_intent_id });
    const key = await api<{ api_key: string }>("/api-keys/generate", bearer, {
      api_key_name: "Faults",
      user: username,
    });
    const [account] = await sql<{ id: number }[]>`select id from accounts where username = ${username}`;
    readers.push({
      accountId: account?.id ?? 0,
      routeId: route.id,
      headers: { "X-API-Key": key.api_key, "X-Username": username },
    });
  }
  const anotherBuyer = async (): Promise<Buyer> => {
    const { bearer } = await signIn();
    const periods = (await listing(bearer)).flatMap((route) => route.periods.map(({ period_id }) => period_id));
    return { bearer, periods, unconfirmed: [] };
  };
  const buyers: Buyer[][] = [];
  while (buyers.length < processes) {
    const own: Buyer[] = [];
    while (own.length < buyersEach) own.push(await anotherBuyer());
    buyers.push(own);
  }
  return { readers, buyers, anotherBuyer };
};
