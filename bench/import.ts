/**
 * Imports a million reports through the console of the running service, while customers read route data. Then copies the
 * same rows into an identical table by plain COPY, which neither checks nor compares, and shows the ratio.
 */
import { once } from "node:events";
import { createReadStream, createWriteStream, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import postgres from "postgres";
import { millisecondsPerDay } from "../app/domain/dates.ts";
import { startService } from "../app/testing/service.ts";
import { accounts } from "../drizzle/schema/index.ts";
import { type Limits, load, type Measurement, type Target } from "./load.ts";
import { type BenchRoute, externalIdPrefix, writeReports } from "./report-rows.ts";
import { machineInWords, table, writeResults } from "./results.ts";
import { buy, type Customer, newCustomer, openStage, print, routeOnSale, type Stage } from "./stage.ts";

const rows = 1_000_000;
const operator = { email: "bench-operator@example.com", password: "a long enough pass phrase" };
/** An account may send 100 requests a second, so several take turns. */
const accountsTakingTurns = 20;
/** At a pace, because a customer who asks at full speed would measure how the processes share two cores. */
const reading: Omit<Limits, "seconds"> = { connections: 1, mostRequests: Number.MAX_SAFE_INTEGER, everyMs: 50 };
const calmSeconds = 15;

export const run = async (): Promise<void> => {
  const stage = await openStage();
  const closers: (() => Promise<void>)[] = [() => stage.close()];
  try {
    const file = path.join(stage.folder, "reports.jsonl");
    const yesterday = new Date(stage.ctx.clock.now().getTime() - millisecondsPerDay);
    print(`Writing a file of ${rows.toLocaleString("en-US")} reports`);
    await writeReports(file, await routesOf(stage), { count: rows, now: yesterday });

    const target = await customerOf(stage);
    const { caller } = await newCustomer(stage, "bench-operator");
    await stage.ctx.db.update(accounts).set({ role: "operator" }).where(eq(accounts.id, caller.account.id));
    process.env.TEST_DATABASE_URL = stage.adminUrl;
    const service = await startService({ by: "server", databaseUrl: stage.databaseUrl });
    closers.push(service.stop);
    const customer = { ...target, port: Number(new URL(service.url).port) };

    await load(customer, { ...reading, seconds: 3 });
    const before = await load(customer, { ...reading, seconds: calmSeconds });
    const lastId = await newestReport(stage);
    const idleMegabytes = restartPeakMemoryOf(service.pid);
    const meanwhile = readUntilStopped(customer);
    const times = await importFile(service.url, file);
    const during = await meanwhile.stop();
    const peakMegabytes = peakMemoryOf(service.pid);
    const copySeconds = await plainCopy(stage, lastId);
    report({ times, copySeconds, before, during, idleMegabytes, peakMegabytes });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
};

const routesOf = async ({ ctx }: Stage): Promise<BenchRoute[]> => [
  ...(await ctx.db.execute<BenchRoute>(sql`
    select r.code, r.cargo_type as "cargoType", p.starts_on::text as "startsOn",
      (select min(level) from service_levels s where s.route_id = r.id) as level
    from routes r join periods p on p.route_id = r.id and p.ends_on is null and p.retired_at is null
    order by r.code`)),
];

const customerOf = async (stage: Stage): Promise<Omit<Target, "port">> => {
  const route = await routeOnSale(stage);
  const customers: Customer[] = [];
  for (let number = 1; number <= accountsTakingTurns; number++) {
    const customer = await newCustomer(stage, `bench-reader-${number}`);
    await buy(stage, customer, route.periodId);
    customers.push(customer);
  }
  return {
    path: `/api/api-routes-data?id=${route.id}`,
    headers: (request) => {
      const { key, username } = customers[request % customers.length] as Customer;
      return { "X-API-Key": key, "X-Username": username };
    },
  };
};

const newestReport = async ({ ctx }: Stage): Promise<number> => {
  const [newest] = await ctx.db.execute<{ id: string }>(sql`select max(id) as id from reports`);
  return Number(newest?.id ?? 0);
};

/** In measurements of a second each. */
const readUntilStopped = (target: Target) => {
  let isStopped = false;
  const measured: Measurement[] = [];
  const work = (async () => {
    while (!isStopped) measured.push(await load(target, { ...reading, seconds: 1 }));
  })();
  return {
    stop: async (): Promise<Measurement> => {
      isStopped = true;
      await work;
      return together(measured);
    },
  };
};

/** Of measurements of a second each: the medians of p50, p95 and p99. */
const together = (measured: readonly Measurement[]): Measurement => {
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const requests = measured.reduce((sum, each) => sum + each.requests, 0);
  return {
    requests,
    perSecond: requests / measured.length,
    p50Ms: median(measured.map(({ p50Ms }) => p50Ms)),
    p95Ms: median(measured.map(({ p95Ms }) => p95Ms)),
    p99Ms: median(measured.map(({ p99Ms }) => p99Ms)),
  };
};

type Times = { readSeconds: number; checkSeconds: number; applySeconds: number };

/** Uploads, waits for the check, and applies, as the console's form does. */
const importFile = async (url: string, file: string): Promise<Times> => {
  const signedIn = await fetch(`${url}/sign-in`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(operator),
  });
  const cookie = signedIn.headers.getSetCookie().map((each) => each.split(";", 1)[0]);
  const headers = { Cookie: cookie.join("; "), Origin: url };
  const startedAt = performance.now();
  const answer = await upload(`${url}/operations/import/upload`, headers, file);
  const { result, problem } = JSON.parse(answer) as { result: string | null; problem: object | null };
  if (result === null) throw new Error(`The upload was refused: ${JSON.stringify(problem)}`);
  const readAt = performance.now();
  await waitFor(`${url}${result}`, headers, "Ready to apply");
  const checkedAt = performance.now();
  await fetch(`${url}${result}`, { method: "POST", headers, body: new URLSearchParams({ intent: "apply" }) });
  await waitFor(`${url}${result}`, headers, "Applied");
  const seconds = (from: number, to: number) => (to - from) / 1000;
  return {
    readSeconds: seconds(startedAt, readAt),
    checkSeconds: seconds(readAt, checkedAt),
    applySeconds: seconds(checkedAt, performance.now()),
  };
};

/** Sends a form with a file as a browser does. @returns the body of the answer */
const upload = async (url: string, headers: Record<string, string>, file: string): Promise<string> => {
  const boundary = "----WebKitFormBoundaryBenchmark0001";
  const request = http.request(url, {
    method: "POST",
    headers: { ...headers, "Content-Type": `multipart/form-data; boundary=${boundary}` },
  });
  const answered = once(request, "response") as Promise<[http.IncomingMessage]>;
  request.write(`--${boundary}\r\nContent-Disposition: form-data; name="kind"\r\n\r\nreports\r\n`);
  request.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="reports.jsonl"\r\n\r\n`);
  await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), request, { end: false });
  request.end(`\r\n--${boundary}--\r\n`);
  const [response] = await answered;
  return text(response);
};

const waitFor = async (url: string, headers: Record<string, string>, badge: string): Promise<void> => {
  for (;;) {
    const page = await (await fetch(url, { headers })).text();
    if (page.includes(`>${badge}<`)) return;
    if (/>(Has errors|Interrupted|Discarded)</.test(page)) throw new Error("The import failed");
    await sleep(250);
  }
};

/** @returns what the process has now */
const restartPeakMemoryOf = (pid: number): number => {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return peakMemoryOf(pid);
};

const peakMemoryOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;

/** Into a table with the same columns, indexes, constraints and earlier rows. @returns seconds */
const plainCopy = async ({ databaseUrl, folder }: Stage, lastId: number): Promise<number> => {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  // The driver leaves a connection paused from which rows have been copied.
  const source = postgres(databaseUrl, { max: 1 });
  try {
    await client.unsafe(`create table reports_copied (like reports including all)`);
    await client.unsafe(
      `alter table reports_copied add foreign key (period_id) references periods (id) on delete cascade`,
    );
    await client.unsafe(
      `insert into reports_copied overriding system value select * from reports where id <= ${lastId}`,
    );
    await client.unsafe(`select setval(pg_get_serial_sequence('reports_copied', 'id'), ${lastId})`);
    const columns = await client<{ name: string }[]>`
      select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as name
      from information_schema.columns
      where table_schema = 'public' and table_name = 'reports' and column_name <> 'id'`;
    const names = columns[0]?.name ?? "";
    const copied = path.join(folder, "copied.txt");
    // The import writes the rows in another order, that of the index.
    const inFileOrder = `substr(external_id, ${externalIdPrefix.length + 1})::int`;
    await pipeline(
      await source
        .unsafe(`copy (select ${names} from reports where id > ${lastId} order by ${inFileOrder}) to stdout`)
        .readable(),
      createWriteStream(copied),
    );
    await client.unsafe("vacuum analyze reports_copied");
    const startedAt = performance.now();
    const target = await client.unsafe(`copy reports_copied (${names}) from stdin`).writable();
    await pipeline(createReadStream(copied, { highWaterMark: 256 * 1024 }), target);
    const seconds = (performance.now() - startedAt) / 1000;
    const [count] = await client.unsafe(
      `select count(*)::int as count from reports_copied where external_id like '${externalIdPrefix}%'`,
    );
    if (count?.count !== rows) throw new Error(`${rows} rows were imported, but ${count?.count} copied`);
    return seconds;
  } finally {
    await Promise.all([client.end({ timeout: 5 }), source.end({ timeout: 5 })]);
  }
};

type Result = {
  times: Times;
  copySeconds: number;
  before: Measurement;
  during: Measurement;
  idleMegabytes: number;
  peakMegabytes: number;
};

const report = ({ times, copySeconds, before, during, idleMegabytes, peakMegabytes }: Result): void => {
  const { readSeconds, checkSeconds, applySeconds } = times;
  const importSeconds = readSeconds + checkSeconds + applySeconds;
  const ratio = importSeconds / copySeconds;
  const inSeconds = (value: number) => value.toFixed(1);
  const work = table(
    ["step", "seconds", "ratio to COPY"],
    [
      ["upload, parse and stage", inSeconds(readSeconds), (readSeconds / copySeconds).toFixed(2)],
      ["check and compare", inSeconds(checkSeconds), (checkSeconds / copySeconds).toFixed(2)],
      ["write", inSeconds(applySeconds), (applySeconds / copySeconds).toFixed(2)],
      ["**the import**", `**${inSeconds(importSeconds)}**`, `**${ratio.toFixed(2)}**`],
      ["plain COPY", inSeconds(copySeconds), "1"],
    ],
  );
  const row = (name: string, { perSecond, p50Ms, p99Ms }: Measurement) => [
    name,
    perSecond.toFixed(0),
    p50Ms.toFixed(1),
    p99Ms.toFixed(1),
  ];
  const latency = table(
    ["route data, at most 20 requests a second", "a second", "p50 ms", "p99 ms"],
    [row("before", before), row("during the import", during)],
  );
  print(`\n${work}\n\n${latency}\n`);
  const page = `# Import of ${rows.toLocaleString("en-US")} reports

One run. The file is uploaded to the running service and applied in the console. Then the same rows are copied by plain COPY,
with one connection, into a table with the same columns, indexes, constraints and earlier rows.

${work}

Customers read route data meanwhile, from the same process:

${latency}

- ${machineInWords()}.
- Memory of the service's process (VmHWM): ${idleMegabytes.toFixed(0)} MB before, at most ${peakMegabytes.toFixed(0)} MB during the import.`;
  writeResults(
    "import",
    { rows, ...times, importSeconds, copySeconds, ratio, before, during, idleMegabytes, peakMegabytes },
    page,
  );
};
