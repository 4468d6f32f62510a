/**
 * Counts the limits in Redis, using `@upstash/ratelimit` with a custom algorithm: one script counts both windows in one
 * round trip. Upstash is called over REST, any other Redis through a function that runs a command.
 *
 * @spec Limits
 */
import { createHash } from "node:crypto";
import { Ratelimit, type RatelimitConfig } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import type { Budget, RateLimiter, Verdict } from "./limiter.ts";
import { verdictOf } from "./policy.ts";

const prefix = "srd:rate-limit";

/** After this time a REST request is aborted, which frees its connection. */
const abandonAfterMs = 2_000;

export const upstashRateLimiter = ({ url, token }: { url: string; token: string }): RateLimiter =>
  redisRateLimiter(
    new Redis({
      url,
      token,
      // No retries: a second try might count twice.
      retry: { retries: 0 },
      signal: () => AbortSignal.timeout(abandonAfterMs),
      enableTelemetry: false,
    }),
  );

/** @param run sends one command, name first, and resolves with the server's reply or rejects with its error */
export const commandRateLimiter = (run: (command: string[]) => Promise<unknown>): RateLimiter =>
  redisRateLimiter(
    new Redis({
      request: async <Result>({ body }: { body?: unknown }) => {
        if (!Array.isArray(body)) throw new TypeError("A Redis command is a list");
        return { result: (await run(body.map(String))) as Result };
      },
    }),
  );

const redisRateLimiter = (redis: Redis): RateLimiter => {
  const over = (budget: Budget, now: Date) => {
    const seen: { verdict?: Verdict } = {};
    const ratelimit = new Ratelimit({
      redis,
      prefix,
      limiter: bothWindows(budget, now, (verdict) => {
        seen.verdict = verdict;
      }),
      // The cache would refuse without counting.
      ephemeralCache: false,
      // Timeouts are handled in `fail-open`; the verdict of this one would have a limit of zero.
      timeout: 0,
      enableTelemetry: false,
    });
    const answered = (): Verdict => {
      if (!seen.verdict) throw new Error("The rate limiter answered without having counted");
      return seen.verdict;
    };
    return { ratelimit, answered };
  };
  return {
    take: async (subject, budget, now) => {
      const { ratelimit, answered } = over(budget, now);
      await ratelimit.limit(identifierOf(subject));
      return answered();
    },
    giveBack: async (subject, now) => {
      await over(anyBudget, now).ratelimit.limit(identifierOf(subject), { rate: -1 });
    },
    peek: async (subject, budget, now) => {
      const { ratelimit, answered } = over(budget, now);
      await ratelimit.getRemaining(identifierOf(subject));
      return answered();
    },
  };
};

/** Giving back needs no verdict. */
const anyBudget: Budget = { hourly: 1, burst: 1 };

/** The braces make a Redis cluster keep both windows of a subject on one node. */
const identifierOf = (subject: string) => `{${subject}}`;

/**
 * The algorithm: fixed windows, the clock hour and the clock second of `now`.
 *
 * @param tell receives the whole verdict; the package's own response only has room for the hour
 */
const bothWindows =
  (budget: Budget, now: Date, tell: (verdict: Verdict) => void): RatelimitConfig["limiter"] =>
  () => {
    const ask = async (redis: Redis, script: Script, key: string): Promise<Verdict> => {
      const [hour, second] = await evaluate(redis, script, windowKeys(key, now));
      const verdict = verdictOf({ hour, second }, budget, now);
      tell(verdict);
      return verdict;
    };
    const summary = ({ limit, remaining, resetAt }: Verdict) => ({ limit, remaining, reset: resetAt.getTime() });
    return {
      // A negative rate gives back, as in the package's own algorithms.
      limit: async ({ redis }, key, rate = 1) => {
        const verdict = await ask(redis, rate < 0 ? giveBackScript : takeScript, key);
        return { ...summary(verdict), success: verdict.refusedBy === null, pending: Promise.resolve() };
      },
      getRemaining: async ({ redis }, key) => summary(await ask(redis, peekScript, key)),
      resetTokens: async ({ redis }, key) => {
        await redis.del(...windowKeys(key, now));
      },
    };
  };

/** The key of the hour, then the key of the second. */
const windowKeys = (key: string, now: Date): [string, string] => {
  const second = Math.floor(now.getTime() / 1000);
  return [`${key}:hour:${Math.floor(second / 3600)}`, `${key}:second:${second}`];
};

type Script = { text: string; hash: string };

/** Without the line `#!lua flags=allow-key-locking` of Upstash's own scripts: a hint that other servers reject. */
const script = (text: string): Script => ({ text, hash: createHash("sha1").update(text).digest("hex") });

/** Keys expire some time after their window, to allow for clock differences between processes. */
const takeScript = script(`
local function count(key, seconds)
  local requests = redis.call("INCR", key)
  if requests == 1 then redis.call("EXPIRE", key, seconds) end
  return requests
end
return { count(KEYS[1], 3660), count(KEYS[2], 10) }
`);

/** DECR keeps the expiry. A missing key is not recreated, as it would never expire. */
const giveBackScript = script(`
local function uncount(key)
  local requests = tonumber(redis.call("GET", key) or 0)
  if requests > 0 then requests = redis.call("DECR", key) end
  return requests
end
return { uncount(KEYS[1]), uncount(KEYS[2]) }
`);

const peekScript = script(`
return { tonumber(redis.call("GET", KEYS[1]) or 0), tonumber(redis.call("GET", KEYS[2]) or 0) }
`);

/** Runs a script by its hash, and sends its text only if the server does not have it. */
const evaluate = async (redis: Redis, { text, hash }: Script, keys: [string, string]): Promise<[number, number]> => {
  try {
    return await redis.evalsha<[], [number, number]>(hash, keys, []);
  } catch (error) {
    if (!messageOf(error).includes("NOSCRIPT")) throw withoutCommand(error);
  }
  return redis.eval<[], [number, number]>(text, keys, []).catch((error) => {
    throw withoutCommand(error);
  });
};

/** Removes the command from the client's error message, because it contains the caller's subject. */
const withoutCommand = (error: unknown): unknown => {
  const [said, command] = messageOf(error).split(", command was: ");
  return command === undefined ? error : new Error(said);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
