/**
 * Downloads the reports of all routes in each format, as fast as possible and with a slow client, while customers read
 * route data. Shows the memory of the service's process.
 */
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { startService } from "../app/testing/service.ts";
import { load, type Measurement } from "./load.ts";
import { machineInWords, table, writeResults } from "./results.ts";
import { buy, type Customer, newCustomer, openStage, print, routeOnSale, type Stage } from "./stage.ts";

const formats = ["jsonl", "csv", "parquet"] as const;
/** The slow client reads this much a second. */
const slowBytes = 4_000_000;
const reading = { connections: 1, mostRequests: Number.MAX_SAFE_INTEGER, everyMs: 50 };

type Download = { rows: number; requestCost: number; megabytes: number; seconds: number; peakMegabytes: number };

export const run = async (): Promise<void> => {
  const stage = await openStage();
  const closers: (() => Promise<void>)[] = [() => stage.close()];
  try {
    const analyst = await newCustomer(stage, "bench-analyst");
    await subscribeToAll(stage, analyst);
    const reader = await newCustomer(stage, "bench-reader");
    const route = await routeOnSale(stage);
    await buy(stage, reader, route.periodId);
    process.env.TEST_DATABASE_URL = stage.adminUrl;
    const service = await startService({ by: "server", databaseUrl: stage.databaseUrl });
    closers.push(service.stop);
    const target = {
      port: Number(new URL(service.url).port),
      path: `/api/api-routes-data?id=${route.id}`,
      headers: () => ({ "X-API-Key": reader.key, "X-Username": reader.username }),
    };
    await load(target, { ...reading, seconds: 3 });
    const before = await load(target, { ...reading, seconds: 10 });
    const idleMegabytes = restartPeakMemoryOf(service.pid);
    const downloads: (Download & { name: string; meanwhile: Measurement })[] = [];
    for (const format of formats) {
      for (const bytesASecond of [null, slowBytes]) {
        print(`Downloading ${format}${bytesASecond === null ? "" : " slowly"}`);
        restartPeakMemoryOf(service.pid);
        const done = download(`${service.url}/api/route-access/reports?format=${format}`, analyst, bytesASecond);
        const meanwhile = await load(target, { ...reading, seconds: 8 });
        const result = { ...(await done), peakMegabytes: peakMemoryOf(service.pid) };
        downloads.push({ name: bytesASecond === null ? format : `${format}, slow client`, meanwhile, ...result });
      }
    }
    report({ before, idleMegabytes, downloads });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
};

const subscribeToAll = async ({ ctx }: Stage, { caller }: Customer): Promise<void> => {
  await ctx.db.execute(sql`
    insert into subscriptions (account_id, route_id, period_id, term, renewal_term, start_date, anchor_date, months_paid,
      end_date, auto_renew, created_at)
    select ${caller.account.id}, route_id, min(id), '12_months', '12_months', current_date, current_date, 12,
      current_date + 365, false, now()
    from periods where ends_on is null and retired_at is null group by route_id`);
};

const download = async (
  url: string,
  { key, username }: Customer,
  bytesASecond: number | null,
): Promise<Omit<Download, "peakMegabytes">> => {
  const startedAt = performance.now();
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(url, { headers: { "X-API-Key": key, "X-Username": username } }, resolve).once("error", reject);
  });
  if (response.statusCode !== 200) throw new Error(`The download was answered with ${response.statusCode}`);
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytesASecond === null) continue;
    const aheadMs = (bytes / bytesASecond) * 1000 - (performance.now() - startedAt);
    if (aheadMs > 20) await sleep(aheadMs);
  }
  return {
    rows: Number(response.headers["x-total-rows"]),
    requestCost: Number(response.headers["x-request-cost"]),
    megabytes: bytes / 1e6,
    seconds: (performance.now() - startedAt) / 1000,
  };
};

/** @returns what the process has now */
const restartPeakMemoryOf = (pid: number): number => {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
  return peakMemoryOf(pid);
};

const peakMemoryOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;

type Result = {
  before: Measurement;
  idleMegabytes: number;
  downloads: (Download & { name: string; meanwhile: Measurement })[];
};

const report = ({ before, idleMegabytes, downloads }: Result): void => {
  const [first] = downloads;
  const rows = table(
    ["format", "MB", "seconds", "rows a second", "memory, MB", "route data meanwhile, p50 ms", "p99 ms"],
    downloads.map(({ name, megabytes, seconds, rows, peakMegabytes, meanwhile }) => [
      name,
      megabytes.toFixed(0),
      seconds.toFixed(1),
      (rows / seconds).toFixed(0),
      peakMegabytes.toFixed(0),
      meanwhile.p50Ms.toFixed(1),
      meanwhile.p99Ms.toFixed(1),
    ]),
  );
  print(`\n${rows}\n`);
  const page = `# Download of ${first?.rows.toLocaleString("en-US")} reports

One run. One client downloads the reports of all routes; the slow one reads ${slowBytes / 1e6} MB a second. Customers read route data
from the same process, at most 20 requests a second: before the downloads ${before.p50Ms.toFixed(1)} ms at p50 and ${before.p99Ms.toFixed(1)} ms at p99.

${rows}

- ${machineInWords()}.
- A download costs ${first?.requestCost} requests.
- Memory is that of the service's process (VmHWM), restarted for each download; ${idleMegabytes.toFixed(0)} MB before the first.
`;
  writeResults("reports", { before, idleMegabytes, downloads }, page);
};
