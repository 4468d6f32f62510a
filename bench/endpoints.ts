/**
 * The endpoints that account holders read with a bearer token, beside bare node:http that sends the same bytes. 400 accounts
 * take turns, each with two subscriptions, a card, a key and a log of its own, so no two requests in a row share a result.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { asc, inArray, sql } from "drizzle-orm";
import { openSession } from "../app/domain/accounts/session.server.ts";
import { systemClock } from "../app/domain/clock.ts";
import { startService } from "../app/testing/service.ts";
import { accounts, apiKeys } from "../drizzle/schema/index.ts";
import { fetchBody, type Limits } from "./load.ts";
import { startLoadGenerator } from "./load-generator.ts";
import type { Job } from "./load-process.ts";
import { hasProc, takeCpuSnapshot } from "./processes.ts";
import { prepareReading, type Reading } from "./readers.ts";
import { machineInWords, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { fill } from "./scale-fill.ts";
import { openStage, print, type Stage, withoutDemo } from "./stage.ts";

const accountsTakingTurns = 400;
/** Of the last 30 days. */
const logsOfAccount = 1_000;
const rounds = 5;
const limits: Limits = { connections: 16, seconds: 1.5, mostRequests: Number.POSITIVE_INFINITY };

type Case = { name: string } & Omit<Job, "port" | "limits">;
type Measured = { perSecond: number; p50Ms: number; p95Ms: number; nodeMicros: number; postgresMicros: number };
type Result = Case & { bytes: number; ours: Measured[]; bare: Measured[] };

/** @param options words of the cases to measure; default: all */
export const run = async (options: string[]): Promise<void> => {
  if (!hasProc) throw new Error("This benchmark reads CPU times from /proc, so it needs Linux.");
  const stage = await openStage();
  const closers: (() => Promise<void>)[] = [() => stage.close()];
  try {
    print(`Creating ${accountsTakingTurns} accounts with ${logsOfAccount} log records each`);
    const reading = await prepareReading(stage, accountsTakingTurns);
    const holders = await openAccounts(stage);
    const ids = holders.map(({ id }) => id);
    // Half of the log records go to other accounts.
    const logs = 2 * logsOfAccount * accountsTakingTurns;
    await fill(stage.databaseUrl, { keys: 100, subscriptions: 100, routes: 1, logs }, ids, systemClock.now());
    // With this, `startService` does not start the database server for tests.
    process.env.TEST_DATABASE_URL = stage.adminUrl;
    const service = await startService({ databaseUrl: stage.databaseUrl, env: withoutDemo });
    closers.push(service.stop);
    const bare = await startBareServer();
    closers.push(bare.stop);
    const generator = startLoadGenerator();
    closers.push(generator.stop);
    const port = Number(new URL(service.url).port);

    const chosen = casesOf(reading, holders).filter(
      ({ name }) => options.length === 0 || options.some((word) => name.includes(word)),
    );
    const results: Result[] = [];
    for (const each of chosen) results.push({ ...each, bytes: 0, ours: [], bare: [] });
    for (let round = 0; round <= rounds; round++) {
      print(round === 0 ? "Warming up" : `Round ${round} of ${rounds}`);
      for (const result of round % 2 === 0 ? results : results.toReversed()) {
        const { path, callers, body } = result;
        const job = { path, callers, ...(body === undefined ? {} : { body }), limits };
        const before = takeCpuSnapshot();
        const { requests, perSecond, p50Ms, p95Ms } = await generator.run({ ...job, port });
        const after = takeCpuSnapshot();
        const microsOf = (pid: number) => ((after.secondsOf(pid) - before.secondsOf(pid)) * 1_000_000) / requests;
        const micros = { nodeMicros: microsOf(service.pid), postgresMicros: microsOf(stage.postgresPid) };
        const answer = await answerTo(port, result);
        bare.answer = answer;
        const bareLoad = await generator.run({ ...job, port: bare.port });
        if (round === 0) continue;
        result.bytes = answer.byteLength;
        result.ours.push({ perSecond, p50Ms, p95Ms, ...micros });
        result.bare.push({ ...bareLoad, nodeMicros: Number.NaN, postgresMicros: Number.NaN });
      }
    }
    report(results);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
};

type Holder = { id: number; keyId: number; token: string };

/** Opens a session of each account, and gives each a card. */
const openAccounts = async ({ ctx }: Stage): Promise<Holder[]> => {
  const { db } = ctx;
  const rows = await db
    .select()
    .from(accounts)
    .where(sql`${accounts.username} ~ '^bench-[0-9]+$'`)
    .orderBy(asc(accounts.id));
  const ids = rows.map(({ id }) => id);
  await db.execute(sql`update accounts set stripe_customer_id = 'customer-' || id where ${inArray(accounts.id, ids)}`);
  await db.execute(sql`
    insert into payment_methods (account_id, stripe_payment_method_id, brand, last4, exp_month, exp_year, is_default, created_at)
    select account.id, 'card-' || account.id, brand, last4, exp_month, exp_year, true, created_at
    from payment_methods, unnest(${sql.param(ids)}::integer[]) account (id)
    where is_default and account_id = (select id from accounts where username = 'bench-model')`);
  const keys = await db.select({ id: apiKeys.id, accountId: apiKeys.accountId }).from(apiKeys);
  const keyOf = new Map(keys.map(({ id, accountId }) => [accountId, id]));
  const holders: Holder[] = [];
  for (const row of rows) {
    const account = { ...row, standing: "open" as const };
    const { token } = await openSession(ctx, account, "bearer", { ipAddress: null, userAgent: "bench" });
    holders.push({ id: row.id, keyId: keyOf.get(row.id) ?? 0, token });
  }
  return holders;
};

const casesOf = ({ large }: Reading, holders: Holder[]): Case[] => {
  const callers = holders.map(({ token }) => ({ Authorization: `Bearer ${token}` }));
  const read = (path: string): Case => ({ name: `GET ${path}`, path: `/api${path}`, callers });
  const send = (path: string, body: object): Case => ({
    name: `POST ${path}`,
    path: `/api${path}`,
    callers,
    body: JSON.stringify(body),
  });
  const item = { period_id: large.periodId, subscription_term: "1_month" };
  return [
    read("/api-keys"),
    { name: "GET /api-keys/{api_key_id}", path: holders.map(({ keyId }) => `/api/api-keys/${keyId}`), callers },
    read("/api-keys/export"),
    read("/api-usage-logs?limit=20"),
    read("/route-access/all-routes?limit=20"),
    read("/route-access/all-routes?origin=CNSHA&destination=NLRTM"),
    read(`/route-access/routes-data?id=${large.id}`),
    send("/route-access/check-access", { route_id: large.id }),
    send("/subscriptions/calculate-single-route-price", item),
    send("/subscriptions/calculate-subscription-price", { items: [item] }),
    read("/subscriptions/my-routes"),
    read("/subscriptions/my-stats"),
    read("/subscriptions/upcoming-expirations?days=60"),
    read("/subscriptions/api-call-usage?period=days"),
  ];
};

const answerTo = async (port: number, { path, callers, body }: Case): Promise<Buffer> => {
  const first = typeof path === "string" ? path : (path[0] ?? "");
  const headers = callers[0] ?? {};
  if (body === undefined) return fetchBody({ port, path: first, headers: () => headers });
  const json = { ...headers, "Content-Type": "application/json" };
  const response = await fetch(`http://127.0.0.1:${port}${first}`, { method: "POST", headers: json, body });
  return Buffer.from(await response.arrayBuffer());
};

/** Sends `answer` to every request. It runs in this process, which otherwise only waits for the load generator. */
const startBareServer = async () => {
  const bare = { answer: Buffer.alloc(0) as Buffer, port: 0, stop: async () => void server.close() };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": bare.answer.byteLength });
    response.end(bare.answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  bare.port = (server.address() as AddressInfo).port;
  return bare;
};

const report = (results: Result[]): void => {
  const rows = results.map(({ name, bytes, ours, bare }) => {
    const spread = (of: (measured: Measured) => number) => spreadInWords(spreadOf(ours.map(of)));
    return [
      `\`${name.replace(/(id=)\d+/, "$1…")}\``,
      `${(bytes / 1000).toFixed(1)} KB`,
      spread(({ perSecond }) => perSecond),
      spread(({ p50Ms }) => p50Ms),
      spread(({ p95Ms }) => p95Ms),
      spread(({ nodeMicros }) => nodeMicros),
      spread(({ postgresMicros }) => postgresMicros),
      spreadInWords(spreadOf(ours.map(({ perSecond }, round) => perSecond / (bare[round]?.perSecond ?? Number.NaN)))),
    ];
  });
  const columns = ["request", "answer", "requests a second", "p50 ms", "p95 ms"];
  const result = table([...columns, "node CPU µs", "PostgreSQL CPU µs", "÷ bare node:http"], rows);
  print(`\n${result}\n`);
  const page = `# The endpoints of account holders

Median of ${rounds} interleaved rounds (smallest–largest of them). CPU time is that of one request.

${result}

- ${machineInWords()}.
- ${limits.connections} connections without pipelining, ${limits.seconds} s a case and round, after one round to warm up.
- ${accountsTakingTurns} accounts take turns, each with two subscriptions, a card, a key, and ${logsOfAccount.toLocaleString("en-GB")} log records of the last 30 days.
- Limits are counted in memory, and every request commits a usage record before it is answered.
- Bare node:http sends the same bytes from memory.`;
  const figures = results.map(({ name, bytes, ours, bare }) => ({ name, bytes, ours, bare }));
  writeResults("endpoints", { rounds, limits, accounts: accountsTakingTurns, logsOfAccount, results: figures }, page);
};
