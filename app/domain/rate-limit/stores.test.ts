/** All stores behave alike: memory, PostgreSQL, Redis over TCP, and Upstash's REST interface in front of a real Redis. */
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../platform/db.server.ts";
import { cloneDatabase } from "../../testing/database.ts";
import type { Orders } from "../../testing/rate-limit-client.ts";
import { type RedisRest, startRedisRest } from "../../testing/redis-rest.ts";
import { type RedisServer, startRedisServer, withoutRedis } from "../../testing/redis-server.ts";
import { fixedClock } from "../clock.ts";
import type { Budget, RateLimiter, Verdict } from "./limiter.ts";
import { memoryRateLimiter } from "./memory.ts";
import { postgresRateLimiter } from "./postgres.server.ts";
import { connectRedis } from "./redis.server.ts";
import { deleteOldCounts } from "./retention.server.ts";
import { commandRateLimiter, upstashRateLimiter } from "./upstash.server.ts";

const noRedis = withoutRedis();
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let redis: RedisServer;
let rest: RedisRest;
/** A second connection that inspects the same server. */
let eyes: Redis;

beforeAll(async () => {
  database = await cloneDatabase();
  if (noRedis) return;
  redis = await startRedisServer();
  rest = await startRedisRest(redis.url);
  eyes = new Redis(redis.url);
});

afterAll(async () => {
  await database.drop();
  if (noRedis) return;
  eyes.disconnect();
  await rest.stop();
  await redis.stop();
});

type Store = { name: string; open: () => Promise<{ limiter: RateLimiter; close(): void }> };

const overTcp = async () => {
  const { run, close } = await connectRedis(redis.url);
  return { limiter: commandRateLimiter(run), close };
};
const memory: Store = { name: "memory", open: async () => ({ limiter: memoryRateLimiter(), close: () => {} }) };
const postgres: Store = {
  name: "PostgreSQL",
  open: async () => {
    const { db, close } = openDatabase(database.url, { connections: 4, requestWaitMs: 60_000 });
    return { limiter: postgresRateLimiter(db), close: () => void close() };
  },
};
const tcp: Store = { name: "a Redis over TCP", open: overTcp };
const upstash: Store = {
  name: "Upstash's REST interface",
  open: async () => ({ limiter: upstashRateLimiter(rest), close: () => {} }),
};

const at = (time: string) => new Date(`2026-11-20T${time}Z`);
const someone = () => `account:${randomUUID()}`;
const roomy: Budget = { hourly: 1_000, burst: 1_000 };
const accepted = (verdicts: Verdict[]) => verdicts.filter(({ refusedBy }) => refusedBy === null).length;

const behaviours = ({ open }: Store) => {
  let limiter: RateLimiter;
  let close: () => void;
  beforeAll(async () => {
    ({ limiter, close } = await open());
  });
  afterAll(() => close());

  /** The outcomes of a number of simultaneous requests. */
  const takes = async (times: number, subject: string, budget: Budget, now: Date) => {
    const verdicts: Verdict[] = [];
    for (let i = 0; i < times; i++) verdicts.push(await limiter.take(subject, budget, now));
    return verdicts;
  };

  it("counts down both budgets and names the end of the clock hour", async () => {
    const [, second] = await takes(2, someone(), { hourly: 60, burst: 20 }, at("09:30:00.250"));
    expect(second).toEqual({
      refusedBy: null,
      limit: 60,
      remaining: 58,
      burstLimit: 20,
      burstRemaining: 18,
      resetAt: at("10:00:00"),
    });
  });

  it("accepts the hour's last request and rejects the next", async () => {
    const verdicts = await takes(4, someone(), { hourly: 3, burst: 20 }, at("09:30:00"));
    expect(verdicts.map(({ refusedBy }) => refusedBy)).toEqual([null, null, null, "hour"]);
    expect(verdicts.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0]);
  });

  it("resets on the clock hour, not an hour after the first request", async () => {
    const subject = someone();
    const budget = { hourly: 2, burst: 20 };
    await takes(3, subject, budget, at("09:59:59.999"));
    expect(await limiter.take(subject, budget, at("10:00:00.000"))).toMatchObject({ refusedBy: null, remaining: 1 });
    // A slower process may still count into the previous hour; it does not affect this one.
    expect(await limiter.take(subject, budget, at("09:59:59.999"))).toMatchObject({ refusedBy: "hour" });
    expect(await limiter.take(subject, budget, at("10:00:00.001"))).toMatchObject({ refusedBy: null, remaining: 0 });
  });

  it("rejects requests over the burst until the next clock second", async () => {
    const subject = someone();
    const budget = { hourly: 60, burst: 2 };
    const verdicts = await takes(3, subject, budget, at("09:30:07.990"));
    expect(verdicts.map(({ refusedBy }) => refusedBy)).toEqual([null, null, "burst"]);
    expect(await limiter.take(subject, budget, at("09:30:08.000"))).toMatchObject({
      refusedBy: null,
      burstRemaining: 1,
    });
  });

  it("counts rejected requests in both windows", async () => {
    const subject = someone();
    const budget = { hourly: 10, burst: 2 };
    await takes(5, subject, budget, at("09:30:00"));
    expect(await limiter.peek(subject, budget, at("09:30:01"))).toMatchObject({ remaining: 5, burstRemaining: 2 });
    await takes(20, subject, budget, at("09:30:01"));
    // A larger budget, granted in between, is charged for what was counted beyond the old one.
    expect(await limiter.peek(subject, roomy, at("09:30:01"))).toMatchObject({ remaining: 975, burstRemaining: 980 });
  });

  it("keeps subjects apart", async () => {
    const [one, other] = [someone(), someone()];
    const budget = { hourly: 1, burst: 20 };
    await takes(2, one, budget, at("09:30:00"));
    expect(await limiter.take(other, budget, at("09:30:00"))).toMatchObject({ refusedBy: null, remaining: 0 });
  });

  it("peeks without counting", async () => {
    const subject = someone();
    const budget = { hourly: 3, burst: 2 };
    expect(await limiter.peek(subject, budget, at("09:30:00"))).toMatchObject({ remaining: 3, burstRemaining: 2 });
    await takes(1, subject, budget, at("09:30:00"));
    for (let i = 0; i < 5; i++) {
      expect(await limiter.peek(subject, budget, at("09:30:00"))).toMatchObject({ remaining: 2, burstRemaining: 1 });
    }
  });

  it("gives a request back in both windows", async () => {
    const subject = someone();
    const budget = { hourly: 2, burst: 2 };
    await takes(2, subject, budget, at("09:30:00"));
    await limiter.giveBack(subject, at("09:30:00"));
    expect(await limiter.peek(subject, budget, at("09:30:00"))).toMatchObject({ remaining: 1, burstRemaining: 1 });
    expect(await takes(2, subject, budget, at("09:30:00"))).toMatchObject([{ refusedBy: null }, { refusedBy: "hour" }]);
  });

  it("never falls below zero when giving back", async () => {
    const subject = someone();
    await limiter.giveBack(subject, at("09:30:00"));
    await takes(1, subject, roomy, at("09:30:00"));
    for (let i = 0; i < 3; i++) await limiter.giveBack(subject, at("09:30:00"));
    expect(await limiter.peek(subject, roomy, at("09:30:00"))).toMatchObject({ remaining: 1_000 });
    expect(await limiter.take(subject, roomy, at("09:30:00"))).toMatchObject({ remaining: 999, burstRemaining: 999 });
  });

  it("gives back to the windows of the original request, not to the current ones", async () => {
    const subject = someone();
    await takes(1, subject, roomy, at("09:59:59"));
    await takes(2, subject, roomy, at("10:00:00"));
    await limiter.giveBack(subject, at("09:59:59"));
    expect(await limiter.peek(subject, roomy, at("09:59:59"))).toMatchObject({ remaining: 1_000 });
    expect(await limiter.peek(subject, roomy, at("10:00:00"))).toMatchObject({ remaining: 998, burstRemaining: 998 });
  });

  it("gives back exactly as many as requested concurrently", async () => {
    const subject = someone();
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        await limiter.take(subject, roomy, at("09:30:00"));
        if (i % 2 === 0) await limiter.giveBack(subject, at("09:30:00"));
      }),
    );
    expect(await limiter.peek(subject, roomy, at("09:30:00"))).toMatchObject({ remaining: 950, burstRemaining: 950 });
  });

  it("counts several requests at once, and gives them back", async () => {
    const subject = someone();
    await takes(1, subject, roomy, at("09:30:00"));
    expect(await limiter.take(subject, roomy, at("09:30:00"), 480)).toMatchObject({
      refusedBy: null,
      remaining: 519,
      burstRemaining: 519,
    });
    await limiter.giveBack(subject, at("09:30:00"), 480);
    expect(await limiter.peek(subject, roomy, at("09:30:00"))).toMatchObject({ remaining: 999, burstRemaining: 999 });
    await limiter.giveBack(subject, at("09:30:00"), 480);
    expect(await limiter.peek(subject, roomy, at("09:30:00"))).toMatchObject({ remaining: 1_000 });
  });

  it("accepts exactly the budget when requests arrive concurrently", async () => {
    const subject = someone();
    const budget = { hourly: 100, burst: 1_000 };
    const verdicts = await Promise.all(
      Array.from({ length: 250 }, () => limiter.take(subject, budget, at("09:30:00"))),
    );
    expect(accepted(verdicts)).toBe(100);
    expect(new Set(verdicts.map(({ burstRemaining }) => burstRemaining)).size).toBe(250);
  });

  it("accepts any text as a subject", async () => {
    for (const name of ["ip:2001:db8::1", "ip:unknown {x}", "register-from:é \n"]) {
      const subject = `${name}${randomUUID()}`;
      await limiter.take(subject, roomy, at("09:30:00"));
      expect(await limiter.peek(subject, roomy, at("09:30:00"))).toMatchObject({ remaining: 999 });
    }
  });
};

describe.each([memory, postgres])("$name", behaviours);

describe.skipIf(noRedis).each([tcp, upstash])("$name", (store) => {
  behaviours(store);

  it("counts when the server has lost the script", async () => {
    const { limiter, close } = await store.open();
    const subject = someone();
    await limiter.take(subject, roomy, at("09:30:00"));
    await eyes.script("FLUSH");
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => limiter.take(subject, roomy, at("09:30:00"))));
    expect(Math.min(...verdicts.map(({ remaining }) => remaining))).toBe(1_000 - 21);
    close();
  });

  it("sets an expiry on every key", async () => {
    const { limiter, close } = await store.open();
    const subject = someone();
    for (const second of ["09:30:00", "09:30:01"]) await limiter.take(subject, roomy, at(second));
    await limiter.giveBack(subject, at("09:30:00"));
    await limiter.giveBack(subject, at("09:30:02"));
    const keys = (await eyes.keys(`*${subject}*`)).sort();
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      const secondsLeft = await eyes.ttl(key);
      expect(secondsLeft).toBeGreaterThan(0);
      expect(secondsLeft).toBeLessThanOrEqual(key.includes(":hour:") ? 3_660 : 10);
    }
    close();
  });
});

describe("Several processes", () => {
  it.for([
    { by: "in PostgreSQL", connections: 4, here: postgres, store: () => ({ kind: "postgres", url: database.url }) },
    { by: "over TCP", connections: 16, here: tcp, store: () => ({ kind: "tcp", url: redis.url }) },
    // Fewer, because HTTP is slower: a request is given up after two seconds, and may or may not have been counted.
    {
      by: "over REST",
      connections: 4,
      here: tcp,
      store: () => ({ kind: "upstash", url: rest.url, token: rest.token }),
    },
  ] satisfies { by: string; connections: number; here: Store; store: () => Orders["store"] }[])(
    "share one budget exactly, with 4 processes of $connections connections each $by",
    async ({ connections, here, store }, { skip }) => {
      skip(noRedis && here !== postgres);
      const orders: Orders = {
        store: store(),
        connections,
        requestsPerConnection: 320 / connections,
        subject: someone(),
        budget: { hourly: 777, burst: 100_000 },
        now: at("09:30:00").toISOString(),
      };
      expect(await hammer(4, orders)).toBe(777);
      const { limiter, close } = await here.open();
      expect(await limiter.peek(orders.subject, { hourly: 2_000, burst: 2_000 }, at("09:30:00"))).toMatchObject({
        remaining: 2_000 - 4 * 320,
      });
      close();
    },
  );
});

/** Starts all processes at the same moment. @returns how many requests were accepted in total */
const hammer = async (processes: number, orders: Orders): Promise<number> => {
  const program = fileURLToPath(new URL("../../testing/rate-limit-client.ts", import.meta.url));
  const clients = Array.from({ length: processes }, () => fork(program, { execArgv: ["--import", "tsx"] }));
  const said = (client: (typeof clients)[number]) =>
    new Promise<unknown>((resolve, reject) => {
      client.once("message", resolve);
      client.once("exit", (code) => reject(new Error(`A client ended with code ${code}`)));
    });
  const ready = clients.map(said);
  for (const client of clients) client.send(orders);
  await Promise.all(ready);
  const results = clients.map(said);
  for (const client of clients) client.send("go");
  const granted = (await Promise.all(results)) as { accepted: number }[];
  return granted.reduce((sum, { accepted: own }) => sum + own, 0);
};

describe("PostgreSQL", () => {
  it("deletes the counts of hours that have ended, and keeps the latest", async () => {
    const { db, close } = openDatabase(database.url);
    const limiter = postgresRateLimiter(db);
    const [early, late] = [someone(), someone()];
    await limiter.take(early, roomy, at("07:10:00"));
    await limiter.take(late, roomy, at("09:29:59"));
    await deleteOldCounts({ db, clock: fixedClock("2026-11-20T09:30:00Z") });
    expect(await limiter.peek(early, roomy, at("07:10:00"))).toMatchObject({ remaining: 1_000 });
    expect(await limiter.peek(late, roomy, at("09:29:59"))).toMatchObject({ remaining: 999, burstRemaining: 999 });
    await close();
  });

  it("counts requests of several seconds that go together", async () => {
    const { db, close } = openDatabase(database.url);
    const limiter = postgresRateLimiter(db);
    const subject = someone();
    // The first call occupies the limiter, and the others wait for it.
    const seconds = ["09:30:00", "09:30:01", "09:30:03", "09:30:03", "09:30:01"];
    const verdicts = await Promise.all(seconds.map((second) => limiter.take(subject, roomy, at(second))));
    expect(verdicts.map(({ remaining }) => remaining)).toEqual([999, 998, 997, 996, 995]);
    expect(verdicts.slice(2, 4).map(({ burstRemaining }) => burstRemaining)).toEqual([999, 998]);
    await close();
  });
});

describe.skipIf(noRedis)("A call to the store", () => {
  it("takes one round trip for both windows", async () => {
    const { limiter } = await upstash.open();
    const subject = someone();
    await limiter.take(subject, roomy, at("09:30:00"));
    const before = rest.requests();
    for (let i = 0; i < 10; i++) await limiter.take(subject, roomy, at("09:30:00"));
    expect(rest.requests() - before).toBe(10);
  });

  it("does not name the caller in its errors", async () => {
    const limiter = upstashRateLimiter({ url: rest.url, token: "wrong" });
    await expect(limiter.take("account:4711", roomy, at("09:30:00"))).rejects.toThrow(/^Unauthorized$/);
  });
});
