/** Requests while the limiter's store is unavailable. */
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { LogFields } from "../../platform/log.server.ts";
import type { MaybePromise } from "../../platform/maybe-promise.ts";
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

describe("A limiter that fails open", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A store that can be made to fail and counts its calls. */
  const breakable = (answer: { current: "well" | "error" | "silence" }) => {
    const memory = memoryRateLimiter();
    const asked = { times: 0 };
    const through =
      <Asked extends unknown[], Answer>(question: (...request: Asked) => MaybePromise<Answer>) =>
      async (...request: Asked): Promise<Answer> => {
        asked.times += 1;
        if (answer.current === "error") throw new Error("Connection refused");
        if (answer.current === "silence") return new Promise(() => {});
        return question(...request);
      };
    const { take, peek, giveBack } = memory;
    return { limiter: { take: through(take), peek: through(peek), giveBack: through(giveBack) }, asked };
  };

  it("returns the store's verdicts while it answers", async () => {
    const log = recordedLog();
    const limiter = failOpen(memoryRateLimiter(), log);
    await limiter.take("a", { hourly: 1, burst: 20 }, now);
    expect(await limiter.take("a", { hourly: 1, burst: 20 }, now)).toMatchObject({ refusedBy: "hour" });
    expect(limiter.failures()).toBe(0);
    expect(log.lines).toEqual([]);
  });

  it("grants the full budget on an error, and resumes counting when the store recovers", async () => {
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

  it("counts strict budgets in the process while the store is unavailable", async () => {
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

  it("gives a request back to the store that counted it, and keeps counting what cannot be given back", async () => {
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

  it("waits no longer than its timeout, and only one request waits while the store hangs", async () => {
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

  it("sends one probe at a time, even as requests from before the failure run out of time", async () => {
    const answer: Parameters<typeof breakable>[0] = { current: "silence" };
    const { limiter: store, asked } = breakable(answer);
    const limiter = failOpen(store, recordedLog());
    const first = limiter.take("a", budget, now);
    await vi.advanceTimersByTimeAsync(100);
    const second = limiter.take("a", budget, now);
    await vi.advanceTimersByTimeAsync(149);
    expect(limiter.failures()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(await first).toEqual(fullBudget);

    const probe = limiter.take("a", budget, now);
    await vi.advanceTimersByTimeAsync(100);
    expect(await second).toEqual(fullBudget);
    expect(await limiter.take("a", budget, now)).toEqual(fullBudget);
    expect(asked.times).toBe(3);
    await vi.advanceTimersByTimeAsync(150);
    expect(await probe).toEqual(fullBudget);
  });

  it("waits no longer than its timeout to give a request back, and probes afterwards", async () => {
    const answer: Parameters<typeof breakable>[0] = { current: "well" };
    const { limiter: store, asked } = breakable(answer);
    const limiter = failOpen(store, recordedLog());
    await limiter.take("a", budget, now);
    answer.current = "silence";
    const given = limiter.giveBack("a", now);
    await vi.advanceTimersByTimeAsync(249);
    expect(limiter.failures()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await given;
    expect(limiter.failures()).toBe(1);

    const probe = limiter.take("a", budget, now);
    expect(await limiter.take("a", budget, now)).toEqual(fullBudget);
    expect(asked.times).toBe(3);
    await vi.advanceTimersByTimeAsync(250);
    expect(await probe).toEqual(fullBudget);
  });

  it("logs the first failure at once, and further ones as a count every ten seconds", async () => {
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

describe.skipIf(withoutRedis())("A limiter over a real store", () => {
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

  /** The least time a request waits for a store that does not answer. Of 100 requests in a row, not all may wait. */
  const timeoutMs = 250;
  /** The log lines to expect: one at once, one every ten seconds, and one to spare for earlier failures on a busy machine. */
  const linesSince = (started: number) => 2 + Math.ceil((performance.now() - started) / 10_000);
  /** Waits until two requests in a row are counted. On a busy machine the store may time out now and then. */
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

  it.each(stores)("survives a kill and restart of the store $by", async ({ store }) => {
    const log = recordedLog();
    const limiter = await createRateLimiter(store(), log);
    try {
      await counts(limiter, "a");
      const before = limiter.failures();

      await redis.kill();
      const started = performance.now();
      for (let i = 0; i < 100; i++) expect(await limiter.take("a", budget, now)).toEqual(fullBudget);
      expect(performance.now() - started).toBeLessThan(100 * timeoutMs);
      expect(limiter.failures() - before).toBe(100);
      expect(log.lines.length).toBeLessThanOrEqual(linesSince(started));

      await redis.restart();
      await counts(limiter, "b");
    } finally {
      limiter.close();
    }
  });

  it.each(stores)("survives a store that hangs $by", async ({ store }) => {
    const log = recordedLog();
    const limiter = await createRateLimiter(store(), log);
    try {
      await counts(limiter, "c");
      redis.freeze();
      const started = performance.now();
      const verdicts = await Promise.all(Array.from({ length: 100 }, () => limiter.take("c", budget, now)));
      expect(verdicts).toEqual(Array.from({ length: 100 }, () => fullBudget));
      expect(performance.now() - started).toBeLessThan(100 * timeoutMs);
      expect(log.lines.length).toBeLessThanOrEqual(linesSince(started));
      // Later requests do not all wait.
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

describe("A store that is unavailable at startup", () => {
  it("is logged and does not prevent startup", async () => {
    const log = recordedLog();
    const port = await freePort();
    const limiter = await createRateLimiter({ kind: "tcp", url: `redis://localhost:${port}` }, log);
    expect(log.lines).toEqual([
      {
        event: "The rate limiter's store is unavailable; requests are served uncounted until it responds",
        requests: undefined,
        error: expect.stringContaining("ECONNREFUSED"),
      },
    ]);
    expect(await limiter.take("a", budget, now)).toEqual(fullBudget);
    limiter.close();
  });

  it("does not prevent startup if it accepts connections but never answers", async () => {
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
