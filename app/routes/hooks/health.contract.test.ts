/** The health check of the built service, with and without its database. */
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../testing/free-port.ts";
import { type Service, startService } from "../../testing/service.ts";

const signingKey = `signkey-test-${"5ec3e7".repeat(8)}`;
let service: Service;
let admin: postgres.Sql;
let database: string;

beforeAll(async () => {
  // Nothing listens there, so the registration fails and is retried in the background.
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  service = await startService({ env: { INNGEST_SIGNING_KEY: signingKey, INNGEST_BASE_URL: nowhere } });
  const url = new URL(service.databaseUrl);
  database = url.pathname.slice(1);
  url.pathname = "/postgres";
  admin = postgres(url.href, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await admin?.end();
  await service?.stop();
});

const health = async (part = "") => {
  const response = await fetch(`${service.url}/hooks/health${part}`);
  return { status: response.status, cache: response.headers.get("cache-control"), text: await response.text() };
};

const letIn = async (isLetIn: boolean) => {
  await admin.unsafe(`alter database "${database}" with allow_connections ${isLetIn}`);
  if (!isLetIn) await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
};

/** Only new connections have the setting, so the old ones are ended. */
const readOnly = async (isReadOnly: boolean) => {
  await admin.unsafe(`alter database "${database}" set default_transaction_read_only = ${isReadOnly}`);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
};

describe("Health", () => {
  it("reports the service's state without any secret", async () => {
    await expect.poll(async () => JSON.parse((await health()).text).status).toBe("degraded");
    const { status, cache, text } = await health();
    expect([status, cache]).toEqual([200, "no-store"]);
    expect(JSON.parse(text)).toEqual({
      status: "degraded",
      now: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      test_mode: true,
      payments: "simulated",
      scheduler: "inngest",
      scheduled_work: { status: "inngest_unregistered", overdue: [], last_call_at: null, last_registered_at: null },
      rate_limit_store: "memory",
      rate_limit_failures: 0,
      mail_delayed: expect.any(Number),
    });
    for (const secret of [signingKey, database, new URL(service.databaseUrl).host]) expect(text).not.toContain(secret);
  });

  it("is 503 while the database is unavailable, and 200 when it is back", async () => {
    await letIn(false);
    try {
      const { status, text } = await health();
      expect([status, JSON.parse(text)]).toEqual([
        503,
        expect.objectContaining({ status: "database_away", mail_delayed: null, scheduler: "inngest" }),
      ]);
      expect(text).not.toContain(database);
      expect(await health("/ready")).toMatchObject({ status: 503, text: '{"status":"database_away"}' });
      // A restart would not help.
      expect(await health("/live")).toMatchObject({ status: 200, cache: "no-store", text: '{"status":"ok"}' });
    } finally {
      await letIn(true);
    }
    expect((await health()).status).toBe(200);
    expect(await health("/ready")).toEqual({ status: 200, cache: "no-store", text: '{"status":"ok"}' });
  });

  it("is 503 while the database is read-only, although requests that only read are still served", async () => {
    await readOnly(true);
    try {
      await expect.poll(async () => JSON.parse((await health()).text).status).toBe("database_read_only");
      expect((await health()).status).toBe(503);
      expect(await health("/ready")).toMatchObject({ status: 200, text: '{"status":"ok"}' });
    } finally {
      await readOnly(false);
    }
    await expect.poll(async () => (await health()).status).toBe(200);
  });
});
