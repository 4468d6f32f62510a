/**
 * The rate limits counted in Redis with `@upstash/ratelimit`: Upstash over REST, any other Redis over the connection
 * passed in. There is one `Ratelimit` for the hour and one for the second, with an algorithm of our own: the package's
 * fixed windows take the time from the system instead of the caller, and one limit for all identifiers.
 *
 * @spec Limits
 */
import { createHash } from "node:crypto";
import { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import type { RateLimiter } from "./limiter.ts";
import { verdictOf } from "./policy.ts";

/** In braces, so that a cluster keeps all counters on one node: one script counts for many subjects. */
const prefix = "{srd:rate-limit}";

/** A REST request that has had no answer for this long is given up, and its connection freed. */
const abandonAfterMs = 2_000;

export const upstashRateLimiter = ({ url, token }: { url: string; token: string }): RateLimiter =>
  redisRateLimiter(
    new Redis({
      url,
      token,
      // Requests wait for the verdict, so there is no retry. A retry might also count twice.
      retry: { retries: 0 },
      signal: () => AbortSignal.timeout(abandonAfterMs),
      enableTelemetry: false,
    }),
  );

/** @param run sends one command, its name first, and answers with the server's reply; rejects with the server's error */
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
  const count = together((counts: Count[]) => countAll(redis, counts));
  const window = counter(redis);

  /** Over REST the client sends the commands of both windows as one pipeline. */
  const inBothWindows = <Answer>(
    subject: string,
    now: Date,
    ask: (identifier: string) => Promise<Answer>,
  ): Promise<[hour: Answer, second: Answer]> => {
    const { hour, second } = windowsOf(subject, now);
    return Promise.all([ask(hour), ask(second)]);
  };

  return {
    // Not by the package's `limit`: for two windows it made 46 promises, and this runs for every request.
    take: (subject, budget, now, requests = 1) =>
      count({ ...windowsOf(subject, now), requests }).then((counted) => verdictOf(counted, budget, now)),
    giveBack: async (subject, now, requests = 1) => {
      await inBothWindows(subject, now, (identifier) => window.limit(identifier, { rate: -requests }));
    },
    peek: async (subject, budget, now) => {
      const [hour, second] = await inBothWindows(subject, now, (identifier) => window.getRemaining(identifier));
      return verdictOf({ hour: requestsIn(hour), second: requestsIn(second) }, budget, now);
    },
  };
};

/** What the windows of a subject are counted under. */
const windowsOf = (subject: string, now: Date): { hour: string; second: string } => {
  const second = Math.floor(now.getTime() / 1000);
  return { hour: `${subject}:hour:${Math.floor(second / 3600)}`, second: `${subject}:second:${second}` };
};

type Count = { hour: string; second: string; requests: number };

/** A key outlives its window by as much as the clocks of several processes may differ. */
const expiresAfterSeconds = { hour: 3_660, second: 10 };

/** Counts both windows of all requests in this order, in one command. @returns the requests counted by then */
const countAll = async (redis: Redis, counts: Count[]): Promise<{ hour: number; second: number }[]> => {
  // The package's names of keys, which the other two operations use.
  const keys = counts.flatMap(({ hour, second }) => [`${prefix}:${hour}`, `${prefix}:${second}`]);
  const args = counts.flatMap(({ requests }) => [
    ...[requests, expiresAfterSeconds.hour],
    ...[requests, expiresAfterSeconds.second],
  ]);
  const counted = await evaluate<number[]>(redis, takeScript, keys, args);
  return counts.map((_, place) => ({ hour: counted[2 * place] ?? 0, second: counted[2 * place + 1] ?? 0 }));
};

/** Runs once for all calls of a turn of the event loop. If it fails, all of them fail. */
const together = <Item, Answer>(run: (items: Item[]) => Promise<Answer[]>): ((item: Item) => Promise<Answer>) => {
  type Waiting = { item: Item; resolve: (answer: Answer) => void; reject: (error: unknown) => void };
  let waiting: Waiting[] = [];
  const runAll = async () => {
    const all = waiting;
    waiting = [];
    try {
      const answers = await run(all.map(({ item }) => item));
      all.forEach(({ resolve }, place) => {
        resolve(answers[place] as Answer);
      });
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ item, resolve, reject }) === 1) setImmediate(() => void runAll());
    });
};

/** Reads and gives back the requests of one window. The identifier names the subject and the window. */
const counter = (redis: Redis): Ratelimit =>
  new Ratelimit({
    redis,
    prefix,
    limiter: () => ({
      // As with the package's own algorithms, a negative rate gives back.
      limit: async ({ redis }, key, rate = 0) => {
        const requests = await evaluate<number>(redis, giveBackScript, [key], [-rate]);
        return { ...unlimitedWith(requests), success: true, pending: Promise.resolve() };
      },
      getRemaining: async ({ redis }, key) => unlimitedWith(await evaluate<number>(redis, peekScript, [key], [])),
      resetTokens: async ({ redis }, key) => {
        await redis.del(key);
      },
    }),
    // The cache would refuse without counting.
    ephemeralCache: false,
    // `failOpen` enforces the timeout; the package would answer with a limit of zero.
    timeout: 0,
    enableTelemetry: false,
  });

/** A budget belongs to a request, not to a counter: the counter answers without a limit, and `verdictOf` decides. */
const unlimitedWith = (requests: number) => ({
  limit: Number.MAX_SAFE_INTEGER,
  remaining: Number.MAX_SAFE_INTEGER - requests,
  reset: 0,
});

const requestsIn = ({ limit, remaining }: { limit: number; remaining: number }): number => limit - remaining;

type Script = { text: string; hash: string };

/** Without Upstash's `#!lua flags=allow-key-locking`, a hint that other servers refuse. */
const script = (text: string): Script => ({ text, hash: createHash("sha1").update(text).digest("hex") });

const takeScript = script(`
local counted = {}
for i, key in ipairs(KEYS) do
  local requests = ARGV[2 * i - 1]
  counted[i] = redis.call("INCRBY", key, requests)
  if counted[i] == tonumber(requests) then redis.call("EXPIRE", key, ARGV[2 * i]) end
end
return counted
`);

/** DECRBY keeps a key's expiry; a key that is gone must not come back without one. */
const giveBackScript = script(`
local requests = tonumber(redis.call("GET", KEYS[1]) or 0)
local fewer = math.min(requests, tonumber(ARGV[1]))
if fewer > 0 then requests = redis.call("DECRBY", KEYS[1], fewer) end
return requests
`);

const peekScript = script(`
return tonumber(redis.call("GET", KEYS[1]) or 0)
`);

/** Sends the script's hash; the text follows only when the server does not know the script yet. */
const evaluate = async <Answer>(
  redis: Redis,
  { text, hash }: Script,
  keys: string[],
  args: number[],
): Promise<Answer> => {
  try {
    return await redis.evalsha<number[], Answer>(hash, keys, args);
  } catch (error) {
    if (!messageOf(error).includes("NOSCRIPT")) throw withoutCommand(error);
  }
  return redis.eval<number[], Answer>(text, keys, args).catch((error) => {
    throw withoutCommand(error);
  });
};

/** The client's own message continues with the whole command, and so names the caller. */
const withoutCommand = (error: unknown): unknown => {
  const [message, command] = messageOf(error).split(", command was: ");
  return command === undefined ? error : new Error(message);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
