/** Plays Inngest's side of the protocol over HTTP against the built service. */
import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { systemClock } from "../app/domain/clock.ts";
import { freePort } from "../app/testing/free-port.ts";
import {
  appId,
  callOf,
  canonical,
  functionUuid,
  hmac,
  newRun,
  type Run,
  type Sending,
  seconds,
  secret,
  signatureOf,
  signingKey,
} from "../app/testing/inngest-executor.ts";
import { type Service, startService } from "../app/testing/service.ts";

const eventKey = "event-key-of-the-tests";

// ── Inngest's API ───────────────────────────────────────────────────────────────────────────────────

type Call = { path: string; headers: IncomingHttpHeaders; body: unknown };

let calls: Call[] = [];
let checkpointStatus = 200;

/** @param registerStatuses the responses to the first registrations; later ones are accepted */
const startInngest = async (registerStatuses: number[] = []): Promise<{ url: string; server: Server }> => {
  const port = await freePort();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    calls.push({ path, headers: request.headers, body: JSON.parse((await text(request)) || "null") });
    response.setHeader("Content-Type", "application/json");
    if (path === "/fn/register") {
      const status = registerStatuses.shift() ?? 200;
      response.statusCode = status;
      response.end(JSON.stringify(status === 200 ? { status, modified: true } : { status, error: "Not now" }));
      return;
    }
    response.statusCode = path.startsWith("/v1/checkpoint/") ? checkpointStatus : 200;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${port}`, server };
};

// ── Signatures ──────────────────────────────────────────────────────────────────────────────────────

const isSignedByUs = (signature: string | null, body: string): boolean => {
  const given = new URLSearchParams(signature ?? "");
  return given.get("s") === hmac(body, secret, Number(given.get("t")));
};

/** The bearer token that the service sends to Inngest's API: a hash of the key, never the key itself. */
const bearer = `Bearer signkey-test-${createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")}`;

// ── Calls of Inngest's executor ─────────────────────────────────────────────────────────────────────

let service: Service;
let inngest: Awaited<ReturnType<typeof startInngest>>;
let sql: postgres.Sql;

const send = async ({ method = "POST", query = "", body, headers = {} }: Sending) => {
  const response = await fetch(`${service.url}/hooks/inngest${query}`, {
    method,
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  return { status: response.status, headers: response.headers, text: answer, json: JSON.parse(answer || "null") };
};

const sendSigned = (sending: Sending) =>
  send({
    ...sending,
    headers: {
      "x-inngest-signature": signatureOf(sending.body === undefined ? "" : canonical(sending.body)),
      ...sending.headers,
    },
  });

/** The three calls of a run with one step. */
const execute = async (run: Run) => {
  const planned = await sendSigned(callOf(run));
  const stepId: string = planned.json[0].id;
  const ran = await sendSigned(callOf(run, { stepId }));
  const steps = { [stepId]: { type: "data", data: ran.json[0].data } };
  return { planned, ran, ended: await sendSigned(callOf({ ...run, steps })) };
};

// ── A reminder that is due ──────────────────────────────────────────────────────────────────────────

let reminder = "";
const remindersWritten = async () => (await sql`select from outbox_messages where dedupe_key = ${reminder}`).length;

const makeReminderDue = async () => {
  const [row] = await sql<{ id: number; end: string }[]>`
    update subscriptions set end_date = (now() at time zone 'UTC')::date + 5
    where id = (
      select id from subscriptions where cancelled_at is null and start_date < (now() at time zone 'UTC')::date order by id limit 1
    )
    returning id, end_date::text as end`;
  if (!row) throw new Error("The demo has no running subscription");
  reminder = `reminder-7:subscription-${row.id}:${row.end}`;
  await sql`delete from outbox_messages where dedupe_key = ${reminder}`;
};

beforeAll(async () => {
  inngest = await startInngest();
  service = await startService({
    env: { INNGEST_SIGNING_KEY: signingKey, INNGEST_EVENT_KEY: eventKey, INNGEST_BASE_URL: inngest.url },
  });
  sql = postgres(service.databaseUrl, { max: 1, onnotice: () => {} });
  await vi.waitFor(
    async () => expect((await healthOf(service)).scheduled_work.last_registered_at).not.toBeNull(),
    patience,
  );
  registeredAtStart = calls;
  // Mail is the last job that the service catches up with.
  await vi.waitFor(async () => expect(await completed("send-mail")).toBe(true), patience);
});
afterAll(async () => {
  await sql?.end();
  await service?.stop();
  inngest.server.close();
});
beforeEach(async () => {
  calls = [];
  checkpointStatus = 200;
  await makeReminderDue();
});

const jobs: Record<string, string> = {
  "close-expired-orders": "0 * * * *",
  "expire-quotes": "1 * * * *",
  "turn-periods": "1 * * * *",
  "feed-demo": "*/10 * * * *",
  "announce-late-data": "*/10 * * * *",
  "move-to-next-period": "2 * * * *",
  "charge-renewals": "5 * * * *",
  remind: "20 * * * *",
  expire: "30 * * * *",
  "end-plans": "3 * * * *",
  "expire-keys": "*/10 * * * *",
  "remove-cards": "40 * * * *",
  "evaluate-alerts": "*/10 * * * *",
  "mail-alerts": "*/10 * * * *",
  "create-log-partitions": "12 0 * * *",
  "aggregate-usage": "7 0 * * *",
  "sum-up-accounts": "22 0 * * *",
  "recompute-popularity": "17 3 * * *",
  "compute-benchmarks": "22 3 * * *",
  "mail-statements": "27 3 1 * *",
  "discard-old-imports": "42 3 * * *",
  "drop-old-logs": "46 3 * * *",
  "delete-old-logs": "47 3 * * *",
  "delete-old-responses": "52 3 * * *",
  "delete-ended-sessions": "57 3 * * *",
  "delete-old-runs": "2 4 * * *",
  "delete-old-links": "7 4 * * *",
  "delete-old-changes": "12 4 * * *",
  "delete-old-history": "17 4 * * *",
  "delete-old-alerts": "22 4 * * *",
  "delete-old-webhooks": "27 4 * * *",
  "delete-old-request-counts": "32 4 * * *",
  "delete-old-incidents": "37 4 * * *",
  "dispatch-changes": "* * * * *",
  "send-webhooks": "* * * * *",
  "send-mail": "* * * * *",
};
const registeredFunctions = () =>
  Object.entries(jobs).map(([job, cron]) =>
    expect.objectContaining({
      id: `${appId}-${job}`,
      triggers: [{ cron: `TZ=UTC ${cron}` }],
      concurrency: { limit: 1 },
      steps: {
        step: expect.objectContaining({
          runtime: { type: "http", url: `${service.url}/hooks/inngest?fnId=${appId}-${job}&stepId=step` },
          retries: { attempts: 3 },
        }),
      },
    }),
  );

const healthOf = async ({ url }: Service) => (await fetch(`${url}/hooks/health`)).json();
const completed = async (job: string) =>
  (await sql`select from job_states where job = ${job} and completed_at is not null`).length === 1;
let registeredAtStart: Call[] = [];
const patience = { timeout: 30_000 };

describe("At its start the service", () => {
  it("registers every job at Inngest's API", () => {
    expect(registeredAtStart).toHaveLength(1);
    const [call] = registeredAtStart;
    expect([call?.path, call?.headers.authorization]).toEqual(["/fn/register", bearer]);
    expect(call?.body).toMatchObject({ url: `${service.url}/hooks/inngest`, functions: registeredFunctions() });
  });

  it("catches up with the hourly work, which Inngest may have missed", async () => {
    for (const job of [
      "close-expired-orders",
      "expire-quotes",
      "move-to-next-period",
      "charge-renewals",
      "remind",
      "expire",
      "remove-cards",
    ]) {
      expect([job, await completed(job)]).toEqual([job, true]);
    }
  });

  it("retries the registration while Inngest rejects it or is unavailable, and health reports it", async () => {
    const statuses = [500, 401, 401];
    const refusing = await startInngest(statuses);
    const env = { INNGEST_SIGNING_KEY: signingKey, INNGEST_BASE_URL: refusing.url };
    const another = await startService({ env });
    try {
      await expect
        .poll(() => healthOf(another))
        .toMatchObject({
          status: "degraded",
          scheduled_work: { status: "inngest_unregistered", last_registered_at: null },
        });
      await expect
        .poll(() => healthOf(another), { timeout: 30_000 })
        .toMatchObject({
          status: "ok",
          scheduled_work: { status: "ok", last_registered_at: expect.any(String) },
        });
      expect(statuses).toEqual([]);
    } finally {
      await another.stop();
      refusing.server.close();
    }
  }, 120_000);
});

describe("Syncing with Inngest", () => {
  it("registers every job at Inngest's API, by the hash of the key", async () => {
    const answer = await sendSigned({ method: "PUT" });
    expect([answer.status, answer.json]).toEqual([200, { message: "Successfully registered", modified: true }]);
    const [call] = calls;
    expect(calls).toHaveLength(1);
    expect(call?.path).toBe("/fn/register");
    expect(call?.headers.authorization).toBe(bearer);
    expect(call?.body).toMatchObject({
      url: `${service.url}/hooks/inngest`,
      appName: appId,
      framework: "remix",
      functions: registeredFunctions(),
    });
    expect(JSON.stringify(call)).not.toContain(secret);
  });

  it("answers with every job when Inngest asks for it in band", async () => {
    const body = { url: `${service.url}/hooks/inngest` };
    const answer = await sendSigned({ method: "PUT", body, headers: { "x-inngest-sync-kind": "in_band" } });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ app_id: appId, url: body.url, functions: registeredFunctions() });
    expect(isSignedByUs(answer.headers.get("x-inngest-signature"), answer.text)).toBe(true);
    expect(calls).toEqual([]);
  });

  it("describes its configuration to Inngest only, without any key", async () => {
    const answer = await sendSigned({ method: "GET" });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      mode: "cloud",
      function_count: Object.keys(jobs).length,
      has_signing_key: true,
      has_event_key: true,
      authentication_succeeded: true,
      app_id: appId,
      serve_origin: service.url,
      serve_path: "/hooks/inngest",
    });
    expect(answer.text).not.toContain(secret);
    expect(answer.text).not.toContain(eventKey);
  });
});

describe("A run", () => {
  it("is planned, executed and finished in three calls, and its work is in the database", async () => {
    const { planned, ran, ended } = await execute(newRun("remind"));
    expect([planned.status, planned.json]).toEqual([
      206,
      [expect.objectContaining({ op: "StepPlanned", displayName: "remind" })],
    ]);
    expect([ran.status, ran.json]).toEqual([
      206,
      [expect.objectContaining({ id: planned.json[0].id, op: "StepRun", data: { reminders: expect.any(Number) } })],
    ]);
    expect(ran.json[0].data.reminders).toBeGreaterThanOrEqual(1);
    expect([ended.status, ended.json]).toEqual([200, ran.json[0].data]);
    for (const answer of [planned, ran, ended]) {
      expect(isSignedByUs(answer.headers.get("x-inngest-signature"), answer.text)).toBe(true);
    }
    expect(await remindersWritten()).toBe(1);
  });

  it("does no work in the planning call", async () => {
    const { status } = await sendSigned(callOf(newRun("remind")));
    expect(status).toBe(206);
    expect(await remindersWritten()).toBe(0);
  });

  it("is reported by health as the last call", async () => {
    const before = systemClock.now().getTime();
    await execute(newRun("remind"));
    const { status, scheduled_work } = await healthOf(service);
    expect([status, scheduled_work.status]).toEqual(["ok", "ok"]);
    expect(Date.parse(scheduled_work.last_call_at)).toBeGreaterThanOrEqual(before);
  });

  it("of a job that is already running is to be retried", async () => {
    const run = newRun("remind");
    const [{ id }] = (await sendSigned(callOf(run))).json;
    const taken = await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(7463510, 0)`;
      return sendSigned(callOf(run, { stepId: id }));
    });
    expect([taken.status, taken.json[0].op]).toEqual([206, "StepError"]);
    expect(taken.json[0].error.message).toBe("Another run is under way; try again later");
    expect(taken.headers.get("x-inngest-no-retry")).toBe("false");
    const again = await sendSigned(callOf({ ...run, attempt: 1 }, { stepId: id }));
    expect(again.json[0].op).toBe("StepRun");
  });

  it("does not repeat a step that is known to be done", async () => {
    const run = newRun("remind");
    const [{ id }] = (await sendSigned(callOf(run))).json;
    const steps = { [id]: { type: "data", data: { reminders: 7 } } };
    const { status, json } = await sendSigned(callOf({ ...run, steps }));
    expect([status, json]).toEqual([200, { reminders: 7 }]);
    expect(await remindersWritten()).toBe(0);
  });

  it("whose response was lost does the work once, however often it is called", async () => {
    const run = newRun("remind");
    const [{ id }] = (await sendSigned(callOf(run))).json;
    const again = [0, 1, 2].map((attempt) => sendSigned(callOf({ ...run, attempt }, { stepId: id })));
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([206, 206, 206]);
    expect(await remindersWritten()).toBe(1);
  });

  it.each([200, 500])("can be done in one call that reports its step meanwhile (answered %i)", async (status) => {
    checkpointStatus = status;
    const run = newRun("remind");
    const answer = await sendSigned(callOf(run, { plan: false }));
    expect(answer.status).toBe(206);
    expect(await remindersWritten()).toBe(1);
    const reported = calls.find(({ path }) => path === `/v1/checkpoint/${run.id}/async`);
    expect(reported?.headers.authorization).toBe(bearer);
    expect(reported?.body).toMatchObject({ run_id: run.id, fn_id: functionUuid, steps: [{ op: "StepRun" }] });
    expect(answer.json[0].op).toBe(status === 200 ? "RunComplete" : "StepRun");
  });

  it.each(Object.keys(jobs))("of %s succeeds", async (job) => {
    const { ended } = await execute(newRun(job));
    expect([ended.status, typeof ended.json]).toEqual([200, "object"]);
  });

  it("that fails is to be retried, and its error stays in the service", async () => {
    const run = newRun("remind");
    const [{ id }] = (await sendSigned(callOf(run))).json;
    await sql`alter table outbox_messages rename to outbox_messages_away`;
    const failed = await sendSigned(callOf(run, { stepId: id })).finally(
      () => sql`alter table outbox_messages_away rename to outbox_messages`,
    );
    expect([failed.status, failed.json[0].op]).toEqual([206, "StepError"]);
    expect(failed.headers.get("x-inngest-no-retry")).toBe("false");
    expect(failed.json[0].error.message).toBe("The job failed; the service's log says why");
    expect(failed.text).not.toMatch(/outbox_messages|Failed query/);
    const retried = await sendSigned(callOf({ ...run, attempt: 1 }, { stepId: id }));
    expect([retried.status, retried.json[0].op]).toEqual([206, "StepRun"]);
    expect(await remindersWritten()).toBe(1);
  });

  it("of an unknown job is an error", async () => {
    expect((await sendSigned(callOf(newRun("drop-everything")))).status).toBe(500);
  });
});

describe("A call that Inngest did not make", () => {
  const { query = "", body } = callOf(newRun("remind"), { plan: false });
  const data = canonical(body);
  const bodyOfAnother = callOf(newRun("remind"), { plan: false }).body;

  const strangers: [string, () => Record<string, string>][] = [
    ["without a signature", () => ({})],
    ["with an empty signature", () => ({ "x-inngest-signature": "" })],
    ["with a malformed signature", () => ({ "x-inngest-signature": "t=now&s=yes" })],
    ["signed with another key", () => ({ "x-inngest-signature": signatureOf(data, { key: "0".repeat(64) }) })],
    ["signed with the key and its prefix", () => ({ "x-inngest-signature": signatureOf(data, { key: signingKey }) })],
    ["signed for another body", () => ({ "x-inngest-signature": signatureOf(canonical(bodyOfAnother)) })],
    ["signed for no body", () => ({ "x-inngest-signature": signatureOf("") })],
    ["signed six minutes ago", () => ({ "x-inngest-signature": signatureOf(data, { at: seconds() - 360 }) })],
    ["signed six minutes ahead", () => ({ "x-inngest-signature": signatureOf(data, { at: seconds() + 360 }) })],
    [
      "with the time of the signature moved",
      () => ({ "x-inngest-signature": `t=${seconds()}&s=${hmac(data, secret, seconds() - 360)}` }),
    ],
    ["that claims to be the development server", () => ({ "x-inngest-server-kind": "dev" })],
  ];

  it.each(strangers)("%s is rejected and has no effect", async (_how, headers) => {
    const answer = await send({ query, body, headers: headers() });
    expect([answer.status, answer.json]).toEqual([401, { message: "Unauthorized" }]);
    expect(answer.headers.get("x-inngest-signature")).toBeNull();
    expect(await remindersWritten()).toBe(0);
    expect(calls).toEqual([]);
  });

  it.each(["GET", "PUT"])("with %s gets no information and has no effect", async (method) => {
    const answers = [await send({ method }), await send({ method, headers: { "x-inngest-signature": "t=1&s=2" } })];
    for (const { status, text } of answers) expect([status, text]).toEqual([401, '{"message":"Unauthorized"}']);
    expect(calls).toEqual([]);
  });

  it.each(["PATCH", "DELETE"])("with %s is rejected", async (method) => {
    expect((await sendSigned({ method })).status).toBe(405);
  });

  it.each([
    ["{", 400],
    ["null", 401],
    ['"text"', 401],
    ["{}", 401],
  ])("with the body %s is rejected with %i", async (broken, status) => {
    const response = await fetch(`${service.url}/hooks/inngest${query}`, { method: "POST", body: broken });
    expect(response.status).toBe(status);
    expect(await remindersWritten()).toBe(0);
  });
});

describe("The configuration", () => {
  it("without a signing key serves no Inngest endpoint", async () => {
    for (const method of ["GET", "PUT", "POST"]) {
      const response = await fetch(`${inject("services").server}/hooks/inngest`, { method });
      expect([method, response.status, await response.json()]).toEqual([
        method,
        404,
        { success: false, message: "Path not found" },
      ]);
    }
  });

  it("is reported by health as the scheduler in use", async () => {
    const schedulerOf = async (url: string) => (await (await fetch(`${url}/hooks/health`)).json()).scheduler;
    expect(await schedulerOf(service.url)).toBe("inngest");
    expect(await schedulerOf(inject("services").server)).toBe("embedded");
    expect(await schedulerOf(inject("services").remixServe)).toBe("none");
  });

  it.each(["1", "http://127.0.0.1:8288"])("with INNGEST_DEV=%s is rejected in production", async (dev) => {
    const starting = startService({ env: { INNGEST_SIGNING_KEY: signingKey, INNGEST_DEV: dev } });
    await expect(starting).rejects.toThrow(
      /ended with code 1:\s+The configuration is invalid:\s+INNGEST_DEV must not be set in production/,
    );
  });

  it("with an event key requires the signing key", async () => {
    const starting = startService({ env: { INNGEST_EVENT_KEY: eventKey } });
    await expect(starting).rejects.toThrow(/INNGEST_SIGNING_KEY is missing/);
  });
});
