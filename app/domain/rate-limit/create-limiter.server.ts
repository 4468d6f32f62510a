/** Creates the rate limiter for the configured store. @spec Limits */
import type { Tx } from "../../platform/db.server.ts";
import type { Log } from "../../platform/log.server.ts";
import { type FailOpenRateLimiter, failOpen } from "./fail-open.server.ts";
import type { RateLimiter } from "./limiter.ts";
import { memoryRateLimiter } from "./memory.ts";
import { postgresRateLimiter } from "./postgres.server.ts";
import { connectRedis } from "./redis.server.ts";
import { commandRateLimiter, upstashRateLimiter } from "./upstash.server.ts";

export type RateLimitStore =
  | { kind: "memory" }
  | { kind: "postgres"; db: Tx }
  /** `redis://` or `rediss://` */
  | { kind: "tcp"; url: string }
  | { kind: "upstash"; url: string; token: string };

export type ManagedRateLimiter = FailOpenRateLimiter & { close(): void };

/** Resolves even if the store is unavailable; the limiter retries with later requests. */
export const createRateLimiter = async (store: RateLimitStore, log: Log): Promise<ManagedRateLimiter> => {
  switch (store.kind) {
    case "memory":
      return { ...memoryRateLimiter(), failures: () => 0, close: () => {} };
    case "postgres":
      return { ...failOpen(postgresRateLimiter(store.db), log, { timeoutMs: 2_000 }), close: () => {} };
    case "tcp": {
      const { run, close } = await connectRedis(store.url);
      const limiter = commandRateLimiter(run);
      await checkConnection(limiter, log);
      return { ...failOpen(limiter, log), close };
    }
    case "upstash": {
      const limiter = upstashRateLimiter(store);
      await checkConnection(limiter, log);
      return { ...failOpen(limiter, log, { timeoutMs: 500 }), close: () => {} };
    }
  }
};

/** Reports a wrong address or token at startup, and opens the connection before the first request needs it. */
const checkConnection = async (limiter: RateLimiter, log: Log): Promise<void> => {
  try {
    await limiter.peek("start", { hourly: 1, burst: 1 }, new Date(0));
  } catch (error) {
    log.error("The rate limiter's store is unavailable; requests are served uncounted until it responds", {}, error);
  }
};
