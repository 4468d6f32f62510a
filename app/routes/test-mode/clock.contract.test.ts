/** The test clock of the built service: two processes on one database, one move at a time, interrupted moves resumed. */
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "../../testing/service.ts";

let one: Service;
let two: Service;
let sql: postgres.Sql;
let admin: postgres.Sql;
let database: string;

beforeAll(async () => {
  one = await startService();
  two = await startService({ databaseUrl: one.databaseUrl });
  sql = postgres(one.databaseUrl, { max: 2, onnotice: () => {} });
  const url = new URL(one.databaseUrl);
  database = url.pathname.slice(1);
  url.pathname = "/postgres";
  admin = postgres(url.href, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await Promise.all([sql?.end(), admin?.end()]);
  await two?.stop();
  await one?.stop();
});

const dayMs = 86_400_000;
const request = async (service: Service, body?: object) => {
  const init = body && {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(`${service.url}/test-mode/clock`, init);
  return { status: response.status, retryAfter: response.headers.get("retry-after"), json: await response.json() };
};
/** Moves it and waits for the end: on a slow machine a move continues after its answer. */
const move = async (service: Service, days: number) => {
  const answer = await request(service, { advance_days: days });
  if (answer.status === 202) {
    await expect.poll(async () => (await request(service)).json.moving, { timeout: 100_000 }).toBeNull();
  }
  return answer;
};
const nowOf = async (service: Service) => Date.parse((await request(service)).json.now);

describe("the test clock", () => {
  it("is shared by all processes on the database", async () => {
    const before = await nowOf(two);
    const { status, json } = await move(one, 2);
    expect(json).toMatchObject({ now: expect.any(String), ran: { charges_declined: expect.any(Number) } });
    expect([status, Object.keys(json).length]).toEqual("moving" in json ? [202, 3] : [200, 2]);
    await expect.poll(() => nowOf(two)).toBeGreaterThanOrEqual(before + 2 * dayMs);
    await move(two, 1);
    await expect.poll(() => nowOf(one)).toBeGreaterThanOrEqual(before + 3 * dayMs);
  }, 240_000);

  it("is followed again by a process that lost its connections", async () => {
    const before = await nowOf(two);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await expect.poll(async () => (await move(one, 1)).status, { timeout: 120_000 }).toBeLessThan(300);
    await expect.poll(() => nowOf(two), { timeout: 15_000 }).toBeGreaterThanOrEqual(before + dayMs);
  }, 180_000);

  it("is moved by one request at a time and rejects others with 409", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Moving the clock takes the lock of the due work. Holding that lock keeps the move waiting on its first day.
    let hold: Promise<unknown> = Promise.resolve();
    await new Promise<void>((resolve) => {
      hold = sql.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(7463510, 0)`;
        resolve();
        await released;
      });
    });
    const waiting = async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and classid = 7463510 and not granted`).length;
    const first = request(one, { advance_days: 1 });
    await expect.poll(waiting).toBe(1);
    const others = await Promise.all(
      [one, two].flatMap((service) => [1, 2, 3, 4, 5].map((days) => request(service, { advance_days: days }))),
    );
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 409));
    release();
    expect((await first).status).toBeLessThan(300);
    await hold;
  });

  it("resumes a move whose process has ended, and shows its progress", async () => {
    const before = await nowOf(one);
    await two.stop();
    const [row] = await sql`
      update test_clock set moving_from_ms = ahead_ms, moving_to_ms = ahead_ms + ${3 * dayMs} returning moving_to_ms::text as target`;
    const { moving } = (await request(one)).json;
    expect(Date.parse(moving.to) - Date.parse(moving.from)).toBe(3 * dayMs);
    expect(moving.at).toBe(moving.from);
    two = await startService({ databaseUrl: one.databaseUrl });
    await expect.poll(async () => (await request(two)).json.moving, { timeout: 60_000 }).toBeNull();
    expect((await sql`select ahead_ms::text as ahead from test_clock`)[0]?.ahead).toBe(row?.target);
    await expect.poll(() => nowOf(one)).toBeGreaterThanOrEqual(before + 3 * dayMs);
  }, 120_000);

  it("returns 503 with Retry-After while the database is unavailable", async () => {
    await admin.unsafe(`alter database "${database}" with allow_connections false`);
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
    try {
      for (const response of [await request(one), await request(one, { advance_days: 1 })]) {
        expect([response.status, response.retryAfter]).toEqual([503, "5"]);
        expect(response.json).toMatchObject({ success: false, request_id: expect.any(String) });
      }
    } finally {
      await admin.unsafe(`alter database "${database}" with allow_connections true`);
    }
    await expect.poll(async () => (await request(one)).status, { timeout: 15_000 }).toBe(200);
  });
});
