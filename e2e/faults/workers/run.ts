/**
 * `npm run faults -- --only workers --kills 200 --workers 4 --seed 1` runs purchases, renewals and webhooks in several processes on one
 * PostgreSQL, and kills them at random points while a fast clock runs. Then it audits the tables. It exits with 1 when
 * anything was charged, granted or sent twice, or was lost. The same seed repeats the choices, but not the timing.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import os from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { importCatalogue } from "#app/domain/catalogue/import.server.ts";
import { systemClock } from "#app/domain/clock.ts";
import { addMonths, dayOf, daysBetween } from "#app/domain/dates.ts";
import { seededRandom } from "#app/domain/schedules/demo/seeded-random.ts";
import { commandWaitMs, type Db, openDatabase } from "#app/platform/db.server.ts";
import { cloneOf, openTestServer, prepareTemplate } from "#app/testing/test-server.ts";
import { testClock } from "#drizzle/schema/index.ts";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import type { Audit } from "../audit/books.ts";
import { audit } from "./audit.ts";
import { type Brief, callPoints, clockLock, type Fate, mailPoints, type Note } from "./fate.ts";

const routeCodes = ["C-CNSHA-NLRTM-PEL9", "C-CNNGB-GBFXT-MRG9", "B-AUPHE-CNTAO-GRN9"];
const root = fileURLToPath(new URL("../../..", import.meta.url));
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Workers that have not reached the point where they kill themselves by then are killed from outside. */
const deathTimeoutMs = 15_000;
/** Workers report every act. If none reports for this long, they hang: a slow machine alone does not cause that. */
const silenceLimitMs = 5 * 60_000;
const print = (line: string) => process.stdout.write(`${line}\n`);

const { values: given } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    workers: { type: "string", default: "4" },
    months: { type: "string", default: "14" },
    accounts: { type: "string", default: "60" },
    seed: { type: "string" },
    page: { type: "string" },
  },
});
const options = {
  kills: Number(given.kills),
  workers: Number(given.workers),
  months: Number(given.months),
  accounts: Number(given.accounts),
  seed: given.seed ?? randomBytes(4).toString("hex"),
};
for (const [name, value] of Object.entries(options)) {
  if (typeof value === "number" && (!Number.isInteger(value) || value < 1))
    throw new RangeError(`--${name} must be a whole number from 1`);
}
const random = seededRandom(options.seed);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

// ── Workers ─────────────────────────────────────────────────────────────────────────────────────────

type Worker = {
  name: string;
  child: ChildProcess;
  /** Whether its kill is planned, by the process itself or from outside. */
  killPlanned: boolean;
  startedAt: number;
  act: string;
  ended: Promise<void>;
};

const running = new Set<Worker>();
/** Number of kills by the point at which they happened. */
const deaths = new Map<string, number>();
const killed = new Set<string>();
const complaints: string[] = [];
let plannedKills = 0;
/** How far ahead the clock is. */
let aheadMs = 0;
let workerCount = 0;
/** Time of the last report of any worker. */
let lastReportAt = performance.now();
/** The last setting of the clock at which a sweep was completed. */
let sweptAtMs = -1;
let sweeps = 0;

const startWorker = (databaseUrl: string, work: Brief["work"], fate: Fate): Worker => {
  workerCount += 1;
  const name = `worker-${workerCount}`;
  const child = spawn(process.execPath, ["--import", "tsx", "e2e/faults/workers/worker.ts"], {
    cwd: root,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const seed = `${options.seed}/${workerCount}`;
  const brief: Brief = { databaseUrl, name, seed, work, mostAccounts: options.accounts, fate };
  child.stdin?.end(JSON.stringify(brief));
  let errorOutput = "";
  child.stderr?.on("data", (chunk) => {
    errorOutput = `${errorOutput}${chunk}`.slice(-2000);
  });
  let at: string | null = null;
  const worker: Worker = {
    name,
    child,
    killPlanned: fate.kind !== "none",
    startedAt: performance.now(),
    act: "its start",
    ended: Promise.resolve(),
  };
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  lines.on("line", (line) => {
    const note = JSON.parse(line) as Note;
    lastReportAt = performance.now();
    if (note.note === "act") worker.act = note.act;
    if (note.note === "dies") at = note.at;
    if (note.note === "complaint") complaints.push(`${name}, at ${worker.act}: ${note.text}`);
    if (note.note === "swept") {
      sweeps += 1;
      sweptAtMs = Math.max(sweptAtMs, note.aheadMs);
    }
  });
  worker.ended = new Promise((resolve) => {
    child.once("close", (code, signal) => {
      running.delete(worker);
      if (signal === "SIGKILL" && !abandoned) {
        const where = at ?? `from outside, during: ${worker.act}`;
        deaths.set(where, (deaths.get(where) ?? 0) + 1);
        killed.add(name);
      } else if (code !== 0 && !abandoned) {
        if (worker.killPlanned) plannedKills -= 1;
        complaints.push(`${name} ended by itself with ${code ?? signal}: ${errorOutput}`);
      }
      resolve();
    });
  });
  running.add(worker);
  return worker;
};

const killSoon = (worker: Worker): void => {
  worker.killPlanned = true;
  plannedKills += 1;
  setTimeout(() => worker.child.kill("SIGKILL"), 200 + random() * 1500).unref();
};

/** Renewals are due only after the first month. */
const randomFate = (): Fate => {
  const at = random();
  const nth = 1 + Math.floor(random() * 3);
  if (aheadMs > 28 * dayMs && at < 0.6) {
    return { kind: "call", operation: "chargeOffSession", point: pick(callPoints), nth: 1 };
  }
  if (at < 0.85) return { kind: "call", operation: "any", point: pick(callPoints), nth: nth * 2 };
  return { kind: "mail", point: pick(mailPoints), nth };
};

/** Keeps the number of workers constant by replacing those that have died. */
const keepUpWith = (databaseUrl: string, work: Brief["work"], nextFate: () => Fate) => (): void => {
  while (running.size < options.workers) startWorker(databaseUrl, work, nextFate());
};

/** Ends the run when workers fail without being killed, or hang: no sweep would ever complete. */
const failIfStuck = (): void => {
  if (complaints.length >= 20) throw new Error(`The workers fail:\n${complaints.join("\n")}`);
  if (performance.now() - lastReportAt > silenceLimitMs) {
    const acts = [...running].map(({ name, act }) => `${name} at ${act}`);
    throw new Error(`No worker has reported anything for ${silenceLimitMs / 60_000} minutes: ${acts.join(", ")}`);
  }
};

// ── The clock ───────────────────────────────────────────────────────────────────────────────────────

/** Moves the clock while no worker acts, and after the database has finished the statements of dead workers. */
const moveClock = (db: Db, byMs: number): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local lock_timeout = '120s'`);
    await tx.execute(sql`select pg_advisory_xact_lock(${clockLock})`);
    const alive = [...running].map(({ name }) => name);
    for (;;) {
      // A transaction caches its first look at the sessions.
      await tx.execute(sql`select pg_stat_clear_snapshot()`);
      const [row] = await tx.execute<{ ghosts: number }>(sql`
        select count(*)::int as ghosts from pg_stat_activity
        where datname = current_database() and application_name like 'worker-%'
        and application_name <> all(${sql.param(alive)}::text[])`);
      if (row?.ghosts === 0) break;
      await wait(10);
    }
    aheadMs += byMs;
    await tx.insert(testClock).values({ aheadMs }).onConflictDoUpdate({ target: testClock.id, set: { aheadMs } });
  });

/** Some hours or a day; mostly a day. */
const randomStep = (): number => pick([1, 1, 1, 0.5, 0.25, 0.25, 0.05]) * dayMs;

/**
 * Waits for a complete sweep that began after the clock was moved, and for `count` sweeps in total. Workers may die
 * before they complete one, so `keepUp` replaces them.
 */
const untilSwept = async (keepUp: () => void, count = 1): Promise<void> => {
  const enough = sweeps + count;
  while (sweptAtMs < aheadMs || sweeps < enough) {
    failIfStuck();
    keepUp();
    await wait(15);
  }
};

// ── The run ─────────────────────────────────────────────────────────────────────────────────────────

const totalMs = (): number => {
  const today = dayOf(systemClock.now());
  return daysBetween(today, addMonths(today, options.months)) * dayMs;
};

const runWithFaults = async (db: Db, databaseUrl: string): Promise<void> => {
  const endMs = totalMs();
  let told = performance.now();
  const passed = () => Math.min(1, aheadMs / endMs);
  /** Spreads the kills over the run, so that they also hit renewals, which come later. */
  const killQuota = () => Math.min(options.kills, Math.ceil(options.kills * passed()) + options.workers);
  const keepUp = keepUpWith(databaseUrl, "everything", () => {
    const isPlanned = plannedKills < killQuota() && random() < 0.7;
    if (isPlanned) plannedKills += 1;
    return isPlanned ? randomFate() : { kind: "none" };
  });
  while (aheadMs < endMs || killed.size < options.kills) {
    failIfStuck();
    keepUp();
    for (const worker of running) {
      if (worker.act === "its start") continue;
      if (!worker.killPlanned && plannedKills < killQuota()) killSoon(worker);
      const isLate = worker.killPlanned && performance.now() - worker.startedAt > deathTimeoutMs;
      if (isLate && killed.size < killQuota()) worker.child.kill("SIGKILL");
    }
    if (aheadMs < endMs && killed.size + options.workers >= Math.floor(options.kills * passed())) {
      await moveClock(db, Math.min(randomStep(), endMs - aheadMs));
      await untilSwept(keepUp);
    } else await wait(30);
    if (performance.now() - told > 10_000) {
      told = performance.now();
      print(`  day ${Math.floor(aheadMs / dayMs)} of ${endMs / dayMs}, ${killed.size} of ${options.kills} kills`);
    }
  }
  await endAll();
};

const endAll = async (): Promise<void> => {
  const last = [...running];
  for (const { child } of last) child.kill("SIGTERM");
  await Promise.all(last.map(({ ended }) => ended));
};

/** Works without faults until nothing is left open. @returns how many days that took */
const settle = async (db: Db, databaseUrl: string): Promise<number | null> => {
  const keepUp = keepUpWith(databaseUrl, "due", () => ({ kind: "none" }));
  const startMs = aheadMs;
  try {
    for (let round = 1; round <= 40; round++) {
      await moveClock(db, dayMs / 4);
      await untilSwept(keepUp, 2 * options.workers);
      if (round >= 8 && (await leftOpen(db)) === 0) return (aheadMs - startMs) / dayMs;
    }
    return null;
  } finally {
    await endAll();
  }
};

/** Counts what is open while no worker acts. */
const leftOpen = (db: Db): Promise<number> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${clockLock})`);
    const [row] = await tx.execute<{ open: number }>(sql`select
      (select count(*)::int from renewal_attempts where state = 'pending')
      + (select count(*)::int from outbox_messages where sent_at is null)
      + (select count(*)::int from simulator_objects where object = 'event' and hidden->>'delivered_at' is null) as open`);
    return row?.open ?? 0;
  });

// ── The report ──────────────────────────────────────────────────────────────────────────────────────

const pageOf = ({ counts, violations }: Audit, settledDays: number | null, seconds: number): string => {
  const table = (header: [string, string], lines: [string, number | string][]) =>
    [header, ["---", "---"], ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
  const where = [...deaths].sort(([a], [b]) => a.localeCompare(b));
  return `## Killed while at work

${options.workers} processes on one PostgreSQL bought, paid, confirmed, delivered the provider's reports, renewed, reminded and
mailed for ${options.months} months of a fast clock (${seconds} s), and ${killed.size} of them were killed with SIGKILL. Then others
without faults settled what was left (${settledDays ?? "not within 10"} days of the clock). Seed ${options.seed};
${os.availableParallelism()} cores, Node ${process.versions.node}, ${os.platform()}.

${table(["killed", "times"], where)}

${table(["counted afterwards", ""], counts)}

${violations.length === 0 ? "No violation." : `${violations.length} violations:\n\n${violations.map((each) => `- ${each}`).join("\n")}`}

A message counts as delivered when the mail system has taken it. A process that is killed after that and before it has
marked the message as sent leaves it due: another one sends it again, under the same Message-ID, by which receivers can tell.
It is counted above, and is a violation where no such kill explains it.
`;
};

let abandoned = false;
const main = async (): Promise<number> => {
  const started = performance.now();
  const server = await openTestServer();
  const clone = await cloneOf(server.adminUrl, await prepareTemplate(server.adminUrl));
  const { db, close } = openDatabase(clone.url, { connections: 3, requestWaitMs: commandWaitMs });
  const giveUp = () => {
    abandoned = true;
    for (const { child } of running) child.kill("SIGKILL");
  };
  const onSignal = () => {
    giveUp();
    process.exit(130);
  };
  process.once("SIGTERM", onSignal).once("SIGINT", onSignal);
  try {
    const today = dayOf(systemClock.now());
    await importCatalogue({ db, clock: systemClock }, readDemoCatalogue({ today, routeCodes }).source);
    await db.execute(sql`create table deliveries (id int generated always as identity, message_id text, worker text)`);
    print(`${options.kills} kills of ${options.workers} workers in ${options.months} months, seed ${options.seed}`);
    await runWithFaults(db, clone.url);
    const settledDays = await settle(db, clone.url);
    const auditor = postgres(clone.url, { max: 1, onnotice: () => {} });
    const now = new Date(systemClock.now().getTime() + aheadMs);
    const result = await audit(auditor, killed, now).finally(() => auditor.end());
    if (settledDays === null) result.violations.push("After ten days without faults something was still open");
    result.violations.push(...complaints.map((complaint) => `Unexpected: ${complaint}`));
    const page = pageOf(result, settledDays, Math.round((performance.now() - started) / 1000));
    print(`\n${page}`);
    if (given.page) writeFileSync(given.page, page);
    return result.violations.length === 0 ? 0 : 1;
  } finally {
    giveUp();
    await Promise.all([...running].map(({ ended }) => ended));
    await close();
    await clone.drop();
    await server.stop();
  }
};

process.exitCode = await main();
