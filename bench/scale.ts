/**
 * What size costs. Two databases with a few of the demo's routes are filled, one with a hundredth of the rows of the other, and the
 * same service runs on each. Every case is measured on both in interleaved rounds. Then the ingestion of log records is
 * compared with COPY, and due renewals are charged on the large database.
 *
 * `--size 0.1` makes both a tenth as large, for a quick run.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { asc, sql } from "drizzle-orm";
import postgres from "postgres";
import { openSession } from "../app/domain/accounts/session.server.ts";
import { hashSecret, writeSecret } from "../app/domain/api-keys/secret.ts";
import { importCatalogue } from "../app/domain/catalogue/import.server.ts";
import { systemClock } from "../app/domain/clock.ts";
import { addDays, dayOf } from "../app/domain/dates.ts";
import type { PaymentGateway } from "../app/domain/payments/gateway.ts";
import { chargeDueRenewals } from "../app/domain/subscriptions/charge-renewals.server.ts";
import { renewingInTurns } from "../app/domain/subscriptions/due-queries.server.ts";
import { chargeDaysBeforeEnd } from "../app/domain/subscriptions/policy.ts";
import { recordUsage } from "../app/domain/usage/record.server.ts";
import { copyRows, type Db, openDatabase } from "../app/platform/db.server.ts";
import { startService } from "../app/testing/service.ts";
import { accounts, apiKeys, subscriptions } from "../drizzle/schema/index.ts";
import { readDemoCatalogue } from "../drizzle/seed/catalogue-files.ts";
import { type Limits, load, type Target } from "./load.ts";
import { machineInWords, type Spread, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { fill, type Sizes } from "./scale-fill.ts";
import { buy, newCustomer, openStage, print, routeOnSale, type Stage, withoutDemo } from "./stage.ts";

/** The first is measured. */
const demoRoutes = ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "B-AUPHE-CNTAO-GRN9"];
const accountsTakingTurns = 400;
const rounds = 3;
const limits: Limits = { connections: 16, seconds: 1.5, mostRequests: 30_000 };

const large: Sizes = { keys: 1_000_000, subscriptions: 1_000_000, routes: 100_000, logs: 10_000_000 };

const scaled = (sizes: Sizes, factor: number): Sizes => ({
  keys: Math.max(1, Math.round(sizes.keys * factor)),
  subscriptions: Math.max(1, Math.round(sizes.subscriptions * factor)),
  routes: Math.max(1, Math.round(sizes.routes * factor)),
  logs: Math.max(1, Math.round(sizes.logs * factor)),
});

type Customer = { id: number; key: string; token: string };

export const run = async (options: string[] = []): Promise<void> => {
  const size = options[0] === "--size" ? Number(options[1]) : 1;
  if (!(size > 0)) throw new Error("--size takes a number, for example 0.1");
  const most = scaled(large, size);
  // A hundredth, but a thousandth of the keys.
  const least = { ...scaled(most, 0.01), keys: Math.max(1, Math.round(most.keys / 1_000)) };
  const stage = await openStage(async () => {});
  const { source } = readDemoCatalogue({ today: dayOf(systemClock.now()), routeCodes: demoRoutes });
  await importCatalogue(stage.ctx, source);
  const closers: (() => Promise<void>)[] = [() => stage.close()];
  try {
    const { customers, routeId } = await prepareCustomers(stage);
    const largeUrl = await copyDatabase(stage, "bench_large");
    const now = systemClock.now();
    const measured = customers.map(({ id }) => id);
    for (const [url, sizes] of [
      [stage.databaseUrl, least],
      [largeUrl, most],
    ] as const) {
      print(`Filling a database with ${inWords(sizes)}`);
      await fill(url, sizes, measured, now);
    }
    // With this, `startService` does not start the database server for tests.
    process.env.TEST_DATABASE_URL = stage.adminUrl;
    const ports: number[] = [];
    const services = [
      await startService({ databaseUrl: stage.databaseUrl, env: withoutDemo }),
      await startService({ databaseUrl: largeUrl, env: withoutDemo }),
    ];
    for (const service of services) ports.push(Number(new URL(service.url).port));
    closers.push(async () => void (await Promise.all(services.map(({ stop }) => stop()))));
    // The jobs of the start.
    await sleep(20_000);
    const pages = await measurePages(casesOf(customers, routeId, now), ports);
    for (const service of services) await service.terminate();
    const { db, close } = openDatabase(largeUrl, { requestWaitMs: 600_000 });
    closers.push(close);
    const ingestion = await measureIngestion(db, measured);
    const renewals = await measureRenewals(stage, db, Math.round(Math.max(100, 600 * size)));
    report({ least, most, pages, ingestion, renewals });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
};

const inWords = ({ keys, subscriptions, routes, logs }: Sizes): string =>
  [
    [keys, "keys"],
    [subscriptions, "subscriptions"],
    [routes, "routes"],
    [logs, "log records"],
  ]
    .map(([count, what]) => `${count?.toLocaleString("en-GB")} ${what}`)
    .join(", ");

/** Enterprise accounts that share a subscription and a card with the first, copied, as purchases take long. */
const prepareCustomers = async (stage: Stage): Promise<{ customers: Customer[]; routeId: number }> => {
  print(`Opening ${accountsTakingTurns} accounts`);
  const { db } = stage.ctx;
  const route = await routeOnSale(stage);
  const first = await newCustomer(stage, "measured");
  await buy(stage, first, route.periodId);
  const { id } = first.caller.account;
  await db.execute(sql`
    insert into accounts (email, username, password_hash, plan, stripe_customer_id, created_at)
    select 'measured-' || number || '@example.com', 'measured-' || number, password_hash, plan, 'customer-' || number, created_at
    from accounts, generate_series(2, ${sql.raw(String(accountsTakingTurns))}) number where id = ${id}`);
  await db.execute(sql`
    insert into subscriptions (account_id, route_id, period_id, term, renewal_term, start_date, anchor_date, months_paid,
      end_date, auto_renew, created_at)
    select accounts.id, route_id, period_id, '12_months', '1_month', start_date, anchor_date, 12, start_date + 300, true, model.created_at
    from subscriptions model, accounts where model.account_id = ${id} and username like 'measured-%'`);
  await db.execute(sql`
    insert into payment_methods (account_id, stripe_payment_method_id, brand, last4, exp_month, exp_year, is_default, created_at)
    select accounts.id, 'card-' || accounts.id, brand, last4, exp_month, exp_year, true, card.created_at
    from payment_methods card, accounts where card.account_id = ${id} and username like 'measured-%'`);
  const copies = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(sql`username like 'measured-%'`)
    .orderBy(asc(accounts.id));
  const customers: Customer[] = [{ id, key: first.key, token: first.token }];
  for (const copy of copies) {
    const key = writeSecret(stage.ctx.random.bytes(32));
    await db.insert(apiKeys).values({
      accountId: copy.id,
      name: "bench",
      user: "measured",
      secretHash: hashSecret(key),
      displayPrefix: "srd_live_",
      createdAt: stage.ctx.clock.now(),
    });
    const account = { ...first.caller.account, id: copy.id };
    const { token } = await openSession(stage.ctx, account, "bearer", { ipAddress: null, userAgent: "bench" });
    customers.push({ id: copy.id, key, token });
  }
  return { customers, routeId: route.id };
};

const copyDatabase = async (stage: Stage, name: string): Promise<string> => {
  const admin = postgres(stage.adminUrl, { max: 1, onnotice: () => {} });
  const original = new URL(stage.databaseUrl).pathname.slice(1);
  // A template must not have connections.
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${original}`;
  await admin.unsafe(`create database ${name} template ${original}`);
  await admin.end();
  return Object.assign(new URL(stage.databaseUrl), { pathname: name }).href;
};

type Case = { name: string; target: Omit<Target, "port"> };

const casesOf = (customers: Customer[], routeId: number, now: Date): Case[] => {
  const turn = (request: number) => customers[request % customers.length] as Customer;
  const byKey = (request: number) => ({ "X-API-Key": turn(request).key, "X-Username": "measured" });
  const byToken = (request: number) => ({ Authorization: `Bearer ${turn(request).token}` });
  const deep = new Date(now.getTime() - 20 * 86_400_000).toISOString();
  return [
    { name: "Route data by key", target: { path: `/api/api-routes-data?id=${routeId}`, headers: byKey } },
    { name: "Request log, first page", target: { path: "/api/api-usage-logs?limit=50", headers: byToken } },
    {
      name: "Request log, 20 days back",
      target: { path: `/api/api-usage-logs?limit=50&to=${deep}`, headers: byToken },
    },
    { name: "Request log, errors", target: { path: "/api/api-usage-logs?limit=50&status=404", headers: byToken } },
    { name: "Usage by hour", target: { path: "/api/subscriptions/api-call-usage?period=hours", headers: byToken } },
    { name: "Usage by day", target: { path: "/api/subscriptions/api-call-usage?period=days", headers: byToken } },
    { name: "Own subscriptions", target: { path: "/api/subscriptions/my-routes", headers: byToken } },
    { name: "Statistics", target: { path: "/api/subscriptions/my-stats", headers: byToken } },
  ];
};

type PageResult = { name: string; time: Spread; p50: Spread };

/** Time for a request on the large database over that on the small one. */
const measurePages = async (cases: Case[], ports: number[]): Promise<PageResult[]> => {
  const measured = cases.map(({ name }) => ({ name, time: [] as number[], p50: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    print(round === 0 ? "Warm-up" : `Round ${round} of ${rounds}`);
    for (const [index, { target }] of cases.entries()) {
      const results = new Map<number, Awaited<ReturnType<typeof load>>>();
      // In turns, so that neither database always follows the other.
      for (const port of round % 2 === 0 ? ports : ports.toReversed()) {
        results.set(port, await load({ ...target, port }, limits));
      }
      const [small, big] = ports.map((port) => results.get(port));
      if (round === 0 || !small || !big) continue;
      measured[index]?.time.push(small.perSecond / big.perSecond);
      measured[index]?.p50.push(big.p50Ms / small.p50Ms);
    }
  }
  return measured.map(({ name, time, p50 }) => ({ name, time: spreadOf(time), p50: spreadOf(p50) }));
};

const ingested = 5_000;
const writers = 1_000;

type Ingestion = { recorded: Spread; copied: Spread; ratio: Spread };

/** Records a second: written as requests are, committed in groups with their totals; and by COPY into the log alone. */
const measureIngestion = async (db: Db, measured: number[]): Promise<Ingestion> => {
  const recorded: number[] = [];
  const copied: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    print(round === 0 ? "Ingestion, warm-up" : `Ingestion, round ${round} of ${rounds}`);
    const [bySelf, byCopy] = [
      await perSecond(() => recordMany(db, measured)),
      await perSecond(() => copyMany(db, measured)),
    ];
    if (round === 0) continue;
    recorded.push(bySelf);
    copied.push(byCopy);
  }
  const ratio = recorded.map((each, index) => each / (copied[index] ?? Number.NaN));
  return { recorded: spreadOf(recorded), copied: spreadOf(copied), ratio: spreadOf(ratio) };
};

const perSecond = async (work: () => Promise<void>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return ingested / ((performance.now() - startedAt) / 1_000);
};

const recordMany = async (db: Db, measured: number[]): Promise<void> => {
  let left = ingested;
  const write = async () => {
    while (left > 0) {
      left -= 1;
      await recordUsage(
        { db, settings: { appUrl: "http://localhost:3000" } },
        {
          accountId: measured[left % measured.length] ?? 0,
          occurredAt: systemClock.now(),
          method: "GET",
          endpoint: "/api-routes-data",
          status: 200,
          durationMs: 2,
          responseBytes: 31_000,
          requestCost: 1,
          apiKeyId: 1,
          apiKeyName: "bench",
          routeId: 1,
          requestId: randomUUID(),
        },
      );
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
};

const copyMany = async (db: Db, measured: number[]): Promise<void> => {
  const columns = [
    "account_id",
    "occurred_at",
    "method",
    "endpoint",
    "status",
    "duration_ms",
    "response_bytes",
    "request_id",
    "plan",
  ];
  const lines = Array.from({ length: ingested }, (_, index) =>
    [
      measured[index % measured.length],
      systemClock.now().toISOString(),
      "GET",
      "/api-routes-data",
      200,
      2,
      31_000,
      randomUUID(),
      "enterprise",
    ].join("\t"),
  );
  await copyRows(db, "usage_logs", columns, Buffer.from(`${lines.join("\n")}\n`));
};

const latencyMs = 300;
const concurrency = 16;

type Renewals = {
  count: number;
  perSecond: number;
  nodeMs: number;
  listMs: number;
  concurrency: number;
  latencyMs: number;
};

/** Charges renewals of the measured accounts by a provider that answers after `latencyMs`, beside a million others. */
const measureRenewals = async (stage: Stage, db: Db, count: number): Promise<Renewals> => {
  print(`Charging ${count} due renewals`);
  const today = dayOf(systemClock.now());
  await db.execute(sql`
    insert into subscriptions (account_id, route_id, period_id, term, renewal_term, start_date, anchor_date, months_paid,
      end_date, auto_renew, created_at)
    select account.id, period.route_id, period.id, '1_month', '1_month', ${today}::date - 28, ${today}::date - 28, 1,
      ${today}::date + 3, true, now()
    from generate_series(1, ${sql.raw(String(count))}) number
    join (select id, row_number() over (order by id) - 1 as number from accounts where username like 'measured-%') account
      on account.number = number.number % ${sql.raw(String(accountsTakingTurns - 1))}
    join (select id, route_id, row_number() over (order by id) as number from periods where code like 'P-SCALE-%' limit ${sql.raw(String(count))}) period
      on period.number = number.number`);
  const startedList = performance.now();
  const ids = await renewingInTurns(db, today, addDays(today, chargeDaysBeforeEnd));
  const listMs = performance.now() - startedList;
  let charges = 0;
  const chargeOffSession: PaymentGateway["chargeOffSession"] = async ({
    amountCents,
    currency,
    customerId,
    orderId,
  }) => {
    await sleep(latencyMs);
    charges += 1;
    const id = `scale_${charges}`;
    const fixed = { status: "succeeded", clientSecret: "none", declineCode: null, card: null } as const;
    return { ...fixed, id, chargeId: id, chargedAt: systemClock.now(), amountCents, currency, customerId, orderId };
  };
  const { ctx } = stage;
  const world = {
    ...ctx,
    db,
    payments: { ...ctx.payments, chargeOffSession },
    settings: { ...ctx.settings, renewalConcurrency: concurrency },
  };
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const { succeeded } = await chargeDueRenewals(world);
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  const renewed = await db.$count(
    subscriptions,
    sql`start_date = ${today}::date - 28 and end_date > ${today}::date + 3`,
  );
  if (succeeded !== charges || renewed !== charges)
    throw new Error(`${charges} charges renewed ${renewed} subscriptions`);
  print(`${ids.length} were due, ${succeeded} succeeded`);
  const nodeMs = (cpu.user + cpu.system) / 1_000 / succeeded;
  return { count: succeeded, perSecond: succeeded / seconds, nodeMs, listMs, concurrency, latencyMs };
};

const report = ({
  least,
  most,
  pages,
  ingestion,
  renewals,
}: {
  least: Sizes;
  most: Sizes;
  pages: PageResult[];
  ingestion: Ingestion;
  renewals: Renewals;
}): void => {
  const result = table(
    ["request", "time for a request, large over small", "median time, large over small"],
    pages.map(({ name, time, p50 }) => [name, spreadInWords(time), spreadInWords(p50)]),
  );
  print(`\n${result}\n`);
  const hours = 100_000 / renewals.perSecond / 3_600;
  const page = `# The cost of size

Median of ${rounds} interleaved rounds (smallest–largest of them). 1 means that size costs nothing.

${result}

- Small: ${inWords(least)}. Large: ${inWords(most)}. ${accountsTakingTurns} enterprise accounts take turns; half of the log records are
  theirs, so each has a hundred times as many in the large database.
- ${machineInWords()}.
- ${limits.connections} connections, ${limits.seconds} s a case and round; an answer other than 200 ends the run.

## Ingestion of log records

| way | records a second |
| --- | --- |
| as requests are recorded: groups that are durable, with hourly and daily totals | ${spreadInWords(ingestion.recorded)} |
| plain COPY into the log, one transaction, without totals | ${spreadInWords(ingestion.copied)} |
| the first over the second | ${spreadInWords(ingestion.ratio)} |

${ingested.toLocaleString("en-GB")} records a round into the large database, ${writers.toLocaleString("en-GB")} requests at a time.

## Due renewals

${renewals.count} renewals at once beside the others, ${renewals.concurrency} at a time, with a provider that answers after ${renewals.latencyMs} ms:
${renewals.perSecond.toFixed(1)} a second, ${renewals.nodeMs.toFixed(1)} ms of Node's CPU time each. The list of what is due took ${renewals.listMs.toFixed(0)} ms. At this rate,
100,000 take ${hours.toFixed(2)} hours. \`npm run bench -- simulate\` calculates with these figures.`;
  print(page.slice(page.indexOf("## Ingestion")));
  writeResults("scale", { least, most, rounds, limits, pages, ingestion, renewals }, page);
};
