/** What happens to requests while the store of the counters is away. */
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { LogFields } from "../../platform/log.server.ts";
import { freePort } from "../../testing/free-port.ts";
import { type RedisRest, startRedisRest } from "../../testing/redis-rest.ts";
import { type RedisServer, startRedisServer, withoutRedis } from "../../testing/redis-server.ts";
import { createRateLimiter } from "./create-limiter.server.ts";
import { failOpen } from "./fail-open.server.ts";
import type { RateLimiter, Verdict } from "./limiter.ts";
import { memoryRateLimiter } from "./memory.ts";

const now = new Date("2026-11-20T09:30:00Z");
const budget = { hourly: 60, burst: 20 };
const fullBudget: Verdict = {
  refusedBy: null,
  limit: 60,
  remaining: 60,
  burstLimit: 20,
  burstRemaining: 20,
  resetAt: new Date("2026-11-20T10:00:00Z"),
};

const recordedLog = () => {
  const lines: { event: string; requests: unknown; error: string }[] = [];
  return {
    lines,
    info: () => {},
    warn: () => {},
    error: (event: string, fields?: LogFields, error?: unknown) => {
      lines.push({ event, requests: fields?.requests, error: String(error) });
    },
  };
};

describe("a limiter that fails open", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A store that can be broken, and that counts how often it is asked. */
  const breakable = (answer: { current: "well" | "error" | "silence" }) => {
    const memory = memoryRateLimiter();
    const asked = { times: 0 };
    const through =
      <Asked extends unknown[], Answer>(question: (...request: Asked) => Promise<Answer>) =>
      async (...request: Asked): Promise<Answer> => {
        asked.times += 1;
        if (answer.current === "error") throw new Error("Connection refused");
        if (answer.current === "silence") return new Promise(() => {});
        return question(...request);
      };
    const { take, peek, giveBack } = memory;
    return { limiter: { take: through(take), peek: through(peek), giveBack: through(giveBack) }, asked };
  };

  it("passes verdicts on while the store answers", async () => {
    const log = recordedLog();
    const limiter = failOpen(memoryRateLimiter(), log);
    await limiter.take("a", { hourly: 1, burst: 20 }, now);
    expect(await limiter.take("a", { hourly: 1, burst: 20 }, now)).toMatchObject({ refusedBy: "hour" });
    expect(limiter.failures()).toBe(0);
    expect(log.lines).toEqual([]);
  });

  it("serves with the full budget on an error, and counts again by itself", async () => {
    const log = recordedLog();
    const answer: Parameters<typeof breakable>[0] = { current: "well" };
    const limiter = failOpen(breakable(answer).limiter, log);
    await limiter.take("a", budget, now);
    answer.current = "error";
    expect(await limiter.take("a", budget, now)).toEqual(fullBudget);
    expect(await limiter.peek("a", budget, now)).toEqual(fullBudget);
    expect(limiter.failures()).toBe(2);
    answer.current = "well";
    expect(await limiter.take("a", budget, now)).toMatchObject({ remaining: 58 });
  });

  it("goes on counting strict budgets, by itself", async () => {
    const answer: Parameters<typeof breakable>[0] = { current: "error" };
    const limiter = failOpen(breakable(answer).limiter, recordedLog());
    const strict = { hourly: 2, burst: 20, strict: true } as const;
    await limiter.take("sign-in:a", strict, now);
    expect(await limiter.peek("sign-in:a", strict, now)).toMatchObject({ remaining: 1 });
    await limiter.take("sign-in:a", strict, now);
    expect(await limiter.take("sign-in:a", strict, now)).toMatchObject({ refusedBy: "hour" });
    expect(await limiter.take("sign-in:b", strict, now)).toMatchObject({ refusedBy: null });
    expect(await limiter.take("sign-in:a", budget, now)).toEqual(fullBudget);
    expect(limiter.failures()).toBe(6);
  });

  it("gives back to whoever counts; what cannot be given back stays counted", async () => {
    const answer: Parameters<typeof breakable>[0] = { current: "well" };
    const limiter = failOpen(breakable(answer).limiter, recordedLog());
    const strict = { hourly: 3, burst: 20, strict: true } as const;
    await limiter.take("a", strict, now);
    await limiter.take("a", strict, now);
    await limiter.giveBack("a", now);
    expect(await limiter.peek("a", strict, now)).toMatchObject({ remaining: 2 });

    answer.current = "error";
    await limiter.giveBack("a", now);
    expect(limiter.failures()).toBe(1);
    await limiter.take("a", strict, now);
    await limiter.giveBack("a", now);
    expect(await limiter.peek("a", strict, now)).toMatchObject({ remaining: 3 });

    answer.current = "well";
    expect(await limiter.peek("a", strict, now)).toMatchObject({ remaining: 2 });
  });

  it("does not wait longer than its time, and while the store hangs only one request waits", async () => {
    const log = recordedLog();
    const answer: Parameters<typeof breakable>[0] = { current: "silence" };
    const { limiter: store, asked } = breakable(answer);
    const limiter = failOpen(store, log, { timeoutMs: 250 });

    const first = limiter.take("a", budget, now);
    await vi.advanceTimersByTimeAsync(250);
    expect(await first).toEqual(fullBudget);

    const probe = limiter.take("a", budget, now);
    const others = await Promise.all(Array.from({ length: 50 }, () => limiter.take("a", budget, now)));
    expect(others).toEqual(Array.from({ length: 50 }, () => fullBudget));
    expect(asked.times).toBe(2);
    await vi.advanceTimersByTimeAsync(250);
    expect(await probe).toEqual(fullBudget);

    answer.current = "well";
    expect(await limiter.take("a", budget, now)).toMatchObject({ remaining: 59 });
    expect(limiter.failures()).toBe(52);
  });

  it("logs the first failure at once, and of the others one line in ten seconds with their number", async () => {
    const log = recordedLog();
    const answer: Parameters<typeof breakable>[0] = { current: "error" };
    const limiter = failOpen(breakable(answer).limiter, log);
    for (let i = 0; i < 8; i++) await limiter.take("a", budget, now);
    expect(log.lines.map(({ requests }) => requests)).toEqual([1]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(log.lines.map(({ requests }) => requests)).toEqual([1, 7]);
    expect(log.lines[1]?.error).toContain("Connection refused");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(log.lines).toHaveLength(2);
    await limiter.take("a", budget, now);
    expect(log.lines.map(({ requests }) => requests)).toEqual([1, 7, 1]);
  });
});

describe.skipIf(withoutRedis())("a real store", () => {
  let redis: RedisServer;
  let rest: RedisRest;
  beforeAll(async () => {
    redis = await startRedisServer();
    rest = await startRedisRest(redis.url);
  });
  afterAll(async () => {
    await rest.stop();
    await redis.stop();
  });

  const stores = [
    { by: "over TCP", store: () => ({ kind: "tcp", url: redis.url }) as const },
    { by: "over REST", store: () => ({ kind: "upstash", url: rest.url, token: rest.token }) as const },
  ];

  /** How long a request waits at least for a store that does not answer: 100 in a row must not all do so. */
  const patienceMs = 250;
  /** One at once, one every ten seconds, and one each for failures of a busy machine before. */
  const linesSince = (started: number) => 2 + Math.ceil((performance.now() - started) / 10_000);
  /** Until two requests in a row are counted. On a busy machine the store may miss its time now and then. */
  const counts = (limiter: RateLimiter, subject: string) => {
    const roomy = { hourly: 100_000, burst: 100_000 };
    return vi.waitFor(
      async () => {
        const { remaining } = await limiter.take(subject, roomy, now);
        expect(await limiter.take(subject, roomy, now)).toMatchObject({ remaining: remaining - 1 });
      },
      { timeout: 50_000, interval: 50 },
    );
  };

  it.each(stores)("may be killed and started again, $by", async ({ store }) => {
    const log = recordedLog();
    const limiter = await createRateLimiter(store(), log);
    try {
      await counts(limiter, "a");
      const before = limiter.failures();

      await redis.kill();
      const started = performance.now();
      for (let i = 0; i < 100; i++) expect(await limiter.take("a", budget, now)).toEqual(fullBudget);
      expect(performance.now() - started).toBeLessThan(100 * patienceMs);
      expect(limiter.failures() - before).toBe(100);
      expect(log.lines.length).toBeLessThanOrEqual(linesSince(started));

      await redis.restart();
      await counts(limiter, "b");
    } finally {
      limiter.close();
    }
  });

  it.each(stores)("may hang, $by", async ({ store }) => {
    const log = recordedLog();
    const limiter = await createRateLimiter(store(), log);
    try {
      await counts(limiter, "c");
      redis.freeze();
      const started = performance.now();
      const verdicts = await Promise.all(Array.from({ length: 100 }, () => limiter.take("c", budget, now)));
      expect(verdicts).toEqual(Array.from({ length: 100 }, () => fullBudget));
      expect(performance.now() - started).toBeLessThan(100 * patienceMs);
      expect(log.lines.length).toBeLessThanOrEqual(linesSince(started));
      // Those that come later do not all wait.
      const later = await Promise.all(Array.from({ length: 100 }, () => limiter.take("c", budget, now)));
      expect(later).toEqual(verdicts);

      redis.resume();
      await counts(limiter, "d");
    } finally {
      redis.resume();
      limiter.close();
    }
  });
});

describe("a store that is away at the start", () => {
  it("is told in the log, and does not keep the service from starting", async () => {
    const log = recordedLog();
    const port = await freePort();
    const limiter = await createRateLimiter({ kind: "tcp", url: `redis://localhost:${port}` }, log);
    expect(log.lines).toEqual([
      {
        event: "The rate limiter's store is away; requests are served uncounted until it answers",
        requests: undefined,
        error: expect.stringContaining("ECONNREFUSED"),
      },
    ]);
    expect(await limiter.take("a", budget, now)).toEqual(fullBudget);
    limiter.close();
  });

  it("may also accept connections and never say a word", async () => {
    const log = recordedLog();
    const mute = createServer((socket) => socket.on("error", () => {}).resume());
    const port = await freePort();
    await new Promise<void>((resolve) => mute.listen(port, "127.0.0.1", resolve));
    const limiter = await createRateLimiter({ kind: "tcp", url: `redis://127.0.0.1:${port}` }, log);
    expect(log.lines).toHaveLength(1);
    expect(await limiter.take("a", budget, now)).toEqual(fullBudget);
    limiter.close();
    await new Promise((resolve) => mute.close(resolve));
  });
});
