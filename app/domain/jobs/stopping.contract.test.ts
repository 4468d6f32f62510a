/** Stops the built service in the middle of a job. */
import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "#drizzle/seed/demo-identity.ts";
import { fill } from "#drizzle/seed/fill.ts";
import { openDatabase } from "../../platform/db.server.ts";
import { startService } from "../../testing/service.ts";
import { cloneOf, openTestServer, prepareSeededTemplate } from "../../testing/test-server.ts";
import { systemClock } from "../clock.ts";

let database: { url: string; drop(): Promise<void> };
let server: Awaited<ReturnType<typeof openTestServer>>;
let sql: postgres.Sql;
let due = 0;

beforeAll(async () => {
  server = await openTestServer();
  database = await cloneOf(server.adminUrl, await prepareSeededTemplate(server.adminUrl));
  const { db, close } = openDatabase(database.url);
  const world = { db, clock: systemClock, appUrl: "http://localhost:3000" };
  await fill(world, demo, { subscriptions: 60, logs: 0 }, () => {});
  await close();
  sql = postgres(database.url, { max: 2, onnotice: () => {} });
  // Every renewing subscription ends in two days, so that each renewal charge is due.
  const rows = await sql`
    update subscriptions set end_date = (now() at time zone 'UTC')::date + 2
    where auto_renew and cancelled_at is null and end_date > (now() at time zone 'UTC')::date + 1`;
  due = rows.count;
});
afterAll(async () => {
  await sql?.end({ timeout: 1 });
  await database?.drop();
  await server?.stop();
});

const chargeRuns = () =>
  sql`select interrupted, ended_at is not null as ended, (outcome->>'succeeded')::int as succeeded
      from job_runs where job = 'charge-renewals' order by id`;
const attempts = async () => {
  const [counts] = await sql`
    select count(*)::int as made, count(distinct subscription_id)::int as subscriptions,
      count(*) filter (where state = 'succeeded')::int as succeeded
    from renewal_attempts where created_at > now() - interval '10 minutes'`;
  return counts;
};

it("A job ends at its next safe point when the service stops, and the next start continues it", async () => {
  expect(due).toBeGreaterThan(10);
  // The table lock blocks renewal attempts, so the job waits at its first charges.
  const { lockHeld, release } = await holdAttempts();
  const service = await startService({ databaseUrl: database.url });
  await expect.poll(waitingCharges, { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
  const stopped = service.stop();
  await expect.poll(() => isServing(service.url), { timeout: 20_000 }).toBe(false);
  release();
  await Promise.all([lockHeld, stopped]);
  const [first] = await chargeRuns();
  expect(first).toMatchObject({ interrupted: true, ended: true });
  expect((await attempts())?.made).toBeLessThan(due);
  expect(await sql`select from job_runs where job = 'remind'`).toHaveLength(0);

  const next = await startService({ databaseUrl: database.url });
  try {
    await expect.poll(async () => (await chargeRuns())[1]?.ended, { timeout: 60_000 }).toBe(true);
    expect((await chargeRuns())[1]).toMatchObject({ interrupted: false });
    expect(await attempts()).toEqual({ made: due, subscriptions: due, succeeded: due });
  } finally {
    await next.stop();
  }
}, 240_000);

const holdAttempts = async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let lockHeld: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    lockHeld = sql
      .begin(async (tx) => {
        await tx`lock table renewal_attempts in share mode`;
        resolve();
        await released;
      })
      .catch(reject);
  });
  return { lockHeld, release };
};

const waitingCharges = async () =>
  (await sql`select from pg_locks where relation = 'renewal_attempts'::regclass and not granted`).length;

const isServing = (url: string) =>
  fetch(`${url}/api/`).then(
    () => true,
    () => false,
  );
