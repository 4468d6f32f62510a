/**
 * A process that uses the budget of one subject over several connections at once. Tests start it with `fork`. It sends
 * "ready" when it is connected, starts on the next message, and sends how many requests were accepted.
 */
import type { Budget, RateLimiter } from "../domain/rate-limit/limiter.ts";
import { postgresRateLimiter } from "../domain/rate-limit/postgres.server.ts";
import { connectRedis } from "../domain/rate-limit/redis.server.ts";
import { commandRateLimiter, upstashRateLimiter } from "../domain/rate-limit/upstash.server.ts";
import { openDatabase } from "../platform/db.server.ts";

export type Orders = {
  store: { kind: "tcp" | "postgres"; url: string } | { kind: "upstash"; url: string; token: string };
  connections: number;
  requestsPerConnection: number;
  subject: string;
  budget: Budget;
  now: string;
};

const carryOut = async (orders: Orders): Promise<void> => {
  const open = async (): Promise<{ limiter: RateLimiter; close(): void }> => {
    if (orders.store.kind === "upstash") return { limiter: upstashRateLimiter(orders.store), close: () => {} };
    if (orders.store.kind === "postgres") {
      const { db, close } = openDatabase(orders.store.url, { connections: 1, requestWaitMs: 60_000 });
      return { limiter: postgresRateLimiter(db), close: () => void close() };
    }
    const { run, close } = await connectRedis(orders.store.url);
    return { limiter: commandRateLimiter(run), close };
  };
  const connections = await Promise.all(Array.from({ length: orders.connections }, open));
  await announce("ready");
  const granted = await Promise.all(
    connections.map(async ({ limiter }) => {
      let accepted = 0;
      for (let request = 0; request < orders.requestsPerConnection; request++) {
        const verdict = await limiter.take(orders.subject, orders.budget, new Date(orders.now));
        if (verdict.refusedBy === null) accepted += 1;
      }
      return accepted;
    }),
  );
  for (const { close } of connections) close();
  process.send?.({ accepted: granted.reduce((sum, accepted) => sum + accepted, 0) });
  process.disconnect();
};

/** Sends the state, and waits for the next message. */
const announce = (state: string): Promise<void> =>
  new Promise((resolve) => {
    process.once("message", () => resolve());
    process.send?.(state);
  });

process.once("message", (orders: Orders) => carryOut(orders));
