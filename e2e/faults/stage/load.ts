/** Clients that read, buy and ask for health without pause, and write down every answer. */
import { setTimeout as wait } from "node:timers/promises";
import { ask, type Reply } from "./ask.ts";
import type { Buyer } from "./customers.ts";
import type { Stage } from "./stage.ts";

export const acts = ["read", "order", "confirm", "health"] as const;
export type Act = (typeof acts)[number];
export type Answer = Reply & { act: Act; service: number };

export type Load = {
  answers: Answer[];
  /** Requests without an answer yet. */
  asking: ReadonlySet<{ act: Act; service: number }>;
  /** Intents whose payment the provider has accepted. */
  paid: Set<string>;
  /** Intents whose confirmation the service has answered with success. */
  confirmed: Set<string>;
  /** Intents that the service has answered with success. */
  ordered: Set<string>;
  /** What went wrong in the clients themselves. */
  complaints: string[];
  /** Resolves when the running requests have been answered. */
  stop(): Promise<void>;
};

const paceMs: Record<"read" | "buy" | "health", number> = { read: 60, buy: 150, health: 250 };

export const startLoad = (stage: Stage): Load => {
  const load = {
    answers: [] as Answer[],
    asking: new Set<{ act: Act; service: number }>(),
    paid: new Set<string>(),
    confirmed: new Set<string>(),
    ordered: new Set<string>(),
    complaints: [] as string[],
  };
  let isStopped = false;
  const repeat = async (pauseMs: number, once: () => Promise<void>) => {
    while (!isStopped) {
      await once().catch((error) => load.complaints.push(String(error)));
      await wait(pauseMs);
    }
  };
  const sendTo = async (service: number, act: Act, path: string, asked: Parameters<typeof ask>[1]) => {
    const asking = { act, service };
    load.asking.add(asking);
    const answer = { ...(await ask(stage.urlOf(service) + path, asked)), ...asking };
    load.asking.delete(asking);
    // An hour of them does not fit into memory with what they said.
    load.answers.push(answer.status === 200 ? { ...answer, text: "" } : answer);
    return answer;
  };
  /** Customers whose order failed try again. Of those whose confirmation failed, every other one leaves it to the webhook. */
  const buyWith = async (service: number, buyer: Buyer) => {
    const post = (act: Act, path: string, body: object) =>
      sendTo(service, act, `/api/subscriptions/${path}`, { method: "POST", headers: buyer.bearer, body });
    const confirm = async (id: string) => {
      const { status } = await post("confirm", "payment-success", { payment_intent_id: id });
      if (status === 200) load.confirmed.add(id);
      return status === 200;
    };
    const unconfirmed = buyer.unconfirmed.shift();
    if (unconfirmed && !(await confirm(unconfirmed))) buyer.unconfirmed.push(unconfirmed);
    const period_id = buyer.periods.shift();
    if (period_id === undefined) return;
    const order = { period_id, subscription_term: "1_month", auto_renew: true };
    const ordered = await post("order", "create-payment-intent", order);
    if (ordered.status !== 200) {
      buyer.periods.push(period_id);
      return;
    }
    const { payment_intent_id: id, client_secret: clientSecret } = JSON.parse(ordered.text);
    load.ordered.add(id);
    await stage.stripe.pay({ id, clientSecret });
    load.paid.add(id);
    if (!(await confirm(id)) && load.paid.size % 2 === 0) buyer.unconfirmed.push(id);
  };
  const loops = stage.services.flatMap((_, service) => {
    const buyers = stage.customers.buyers[service] ?? [];
    const buy = async (place: number) => {
      if (buyers[place]?.periods.length === 0) {
        // Signing in is not what is tested here, and may fail during a fault like everything else.
        const fresh = await stage.customers.anotherBuyer().catch(() => wait(5_000));
        if (fresh) buyers[place] = fresh;
      }
      const buyer = buyers[place];
      if (buyer) await buyWith(service, buyer);
    };
    const readers = stage.customers.readers.filter((_, index) => index % stage.services.length === service);
    return [
      ...readers.map(({ routeId, headers }) =>
        repeat(paceMs.read, async () => {
          await sendTo(service, "read", `/api/api-routes-data?id=${routeId}&limit=1`, { headers });
        }),
      ),
      ...buyers.map((_, place) => repeat(paceMs.buy, () => buy(place))),
      repeat(paceMs.health, async () => {
        await sendTo(service, "health", "/hooks/health", {});
      }),
    ];
  });
  return {
    ...load,
    stop: async () => {
      isStopped = true;
      await Promise.all(loops);
    },
  };
};

/** "Busy, try again in a second" is right at any time on a machine that is. */
export const isBusy = ({ status, retryAfter }: Answer): boolean => status === 503 && retryAfter === "1";

const streak = 3;

/** How long recovery may take: the service's own retries, on a machine that may be slow. */
export const recoveryLimitMs = 240_000;

/**
 * Waits until everything succeeds again on every service, several times in a row.
 *
 * @param since requests that were sent before do not count
 * @returns when the last of them began to succeed, in ms after `since`; null if something did not
 */
export const whenSteady = async (stage: Stage, load: Load, since: number): Promise<number | null> => {
  for (const until = performance.now() + recoveryLimitMs; performance.now() < until; await wait(20)) {
    const firsts = stage.services.flatMap((_, service) =>
      acts.map((act) => {
        const own = load.answers.filter(
          (answer) => answer.service === service && answer.act === act && answer.startedAt >= since && !isBusy(answer),
        );
        const last = own.slice(-streak);
        const isSteady = last.length === streak && last.every(({ status }) => status === 200);
        if (!isSteady) return null;
        const failed = own.findLastIndex(({ status }) => status !== 200);
        const first = own[failed + 1];
        return first ? first.startedAt + first.ms - since : null;
      }),
    );
    if (firsts.every((first) => first !== null)) return Math.max(0, ...firsts);
  }
  return null;
};
