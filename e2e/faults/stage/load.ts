/** Clients that read, buy and ask for health without pause, and write down every answer. */
import { setTimeout as wait } from "node:timers/promises";
import { ask, type Reply } from "./ask.ts";
import type { Stage } from "./stage.ts";

export const acts = ["read", "order", "confirm", "health"] as const;
export type Act = (typeof acts)[number];
export type Answer = Reply & { act: Act; service: number };

export type Load = {
  answers: Answer[];
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
  const load: Omit<Load, "stop"> = {
    answers: [],
    paid: new Set(),
    confirmed: new Set(),
    ordered: new Set(),
    complaints: [],
  };
  let isStopped = false;
  const repeat = async (pauseMs: number, once: () => Promise<void>) => {
    while (!isStopped) {
      await once().catch((error) => load.complaints.push(String(error)));
      await wait(pauseMs);
    }
  };
  const sendTo = async (service: number, act: Act, path: string, asked: Parameters<typeof ask>[1]) => {
    const answer = { ...(await ask(stage.urlOf(service) + path, asked)), act, service };
    load.answers.push(answer);
    return answer;
  };
  const loops = stage.services.flatMap((_, service) => {
    const buy = async () => {
      const { buyers, anotherBuyer } = stage.customers;
      const periodsLeft = buyers[service]?.periods.length ?? 0;
      if (periodsLeft === 0) {
        // Signing in is not what is tested here, and may fail during a fault like everything else.
        const fresh = await anotherBuyer().catch(() => wait(5_000));
        if (fresh) buyers[service] = fresh;
      }
      const buyer = buyers[service];
      if (!buyer || buyer.periods.length === 0) return;
      const period_id = buyer.periods.shift();
      const { bearer } = buyer;
      const post = (act: Act, path: string, body: object) =>
        sendTo(service, act, `/api/subscriptions/${path}`, { method: "POST", headers: bearer, body });
      const order = { period_id, subscription_term: "1_month", auto_renew: true };
      const ordered = await post("order", "create-payment-intent", order);
      if (ordered.status !== 200) return;
      const { payment_intent_id: id, client_secret: clientSecret } = JSON.parse(ordered.text);
      load.ordered.add(id);
      await stage.stripe.pay({ id, clientSecret });
      load.paid.add(id);
      const confirmed = await post("confirm", "payment-success", { payment_intent_id: id });
      if (confirmed.status === 200) load.confirmed.add(id);
    };
    const readers = stage.customers.readers.filter((_, index) => index % stage.services.length === service);
    return [
      ...readers.map(({ routeId, headers }) =>
        repeat(paceMs.read, async () => {
          await sendTo(service, "read", `/api/api-routes-data?id=${routeId}&limit=1`, { headers });
        }),
      ),
      repeat(paceMs.buy, buy),
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

const streak = 3;

/** How long recovery may take: the service's own retries, on a machine that may be slow. */
export const recoveryLimitMs = 120_000;

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
          (answer) => answer.service === service && answer.act === act && answer.startedAt >= since,
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
