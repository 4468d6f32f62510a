/**
 * Two worker processes beside one, and what it costs to share the limits: counted in memory by the one, in PostgreSQL or in
 * Redis by the two. All cases run in interleaved rounds on one database. The CPU time of a request is that of the service's
 * processes and of PostgreSQL's.
 *
 * On a machine without free cores a second worker cannot answer more. So the cases run once more with each worker limited to a
 * share of a core, which leaves the rest of the machine to PostgreSQL and the load generator.
 */
import { startRedisServer, withoutRedis } from "../app/testing/redis-server.ts";
import { type Service, startService } from "../app/testing/service.ts";
import { limitCpu } from "./cpu-share.ts";
import { type Limits, load, type Target } from "./load.ts";
import { childrenOf, takeCpuSnapshot } from "./processes.ts";
import { prepareReading } from "./readers.ts";
import { machineInWords, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { openStage, print, type Stage, withoutDemo } from "./stage.ts";

const accountsTakingTurns = 400;
const rounds = 5;
const seconds = 4;
/** V8 optimises code after thousands of requests, and each worker gets a part of them. */
const warmUpSeconds = 15;
/** Of a core, for each worker. */
const share = 0.25;

type Measured = { perSecond: number; serviceMs: number; databaseMs: number };
/** `beside`: the index of the one process that it is compared with. */
type Case = { name: string; service: Service; workers: number; beside: number };
type Row = { name: string; perSecond: number[]; ratio: number[]; serviceMs: number[]; databaseMs: number[] };

export const run = async (): Promise<void> => {
  const stage = await openStage();
  const closers: (() => Promise<void>)[] = [() => stage.close()];
  try {
    const { readers, large } = await prepareReading(stage, accountsTakingTurns);
    const cases = await startCases(stage, closers);
    const target: Omit<Target, "port"> = {
      path: `/api/api-routes-data?id=${large.id}`,
      headers: (request) => readers[request % readers.length] ?? {},
    };
    const mostRequests = Number.POSITIVE_INFINITY;
    const rowsOf = (connectionsOf: (workers: number) => number) => measureRounds(stage, cases, target, connectionsOf);
    print("Warming up");
    for (const { service } of cases) {
      await measure(stage, service, { ...target, limits: { connections: 64, seconds: warmUpSeconds, mostRequests } });
    }
    print("With the whole machine");
    const free = await rowsOf(() => 16);
    print(`With ${share} cores for each worker`);
    const endLimits = limitCpu(cases.flatMap(workerPids), share);
    closers.push(async () => endLimits?.());
    report(
      free,
      endLimits ? { together: await rowsOf(() => 64), each: await rowsOf((workers) => 64 * workers) } : null,
    );
  } finally {
    for (const close of closers.toReversed()) await close();
  }
};

const startCases = async (stage: Stage, closers: (() => Promise<void>)[]): Promise<Case[]> => {
  // With this, `startService` does not start the database server for tests.
  process.env.TEST_DATABASE_URL = stage.adminUrl;
  const start = async (workers: number, env: Record<string, string> = {}): Promise<Service> => {
    const service = await startService({
      databaseUrl: stage.databaseUrl,
      env: { ...withoutDemo, ...env, WEB_CONCURRENCY: String(workers) },
    });
    closers.push(service.stop);
    return service;
  };
  const cases = [
    { name: "1 process, limits in memory", service: await start(1), workers: 1, beside: 0 },
    // One process does not count in PostgreSQL.
    { name: "2 workers, limits in PostgreSQL", service: await start(2), workers: 2, beside: 0 },
  ];
  if (withoutRedis()) return cases;
  const redis = await startRedisServer();
  closers.push(redis.stop);
  const env = { REDIS_URL: redis.url };
  return [
    ...cases,
    { name: "1 process, limits in Redis", service: await start(1, env), workers: 1, beside: 2 },
    { name: "2 workers, limits in Redis", service: await start(2, env), workers: 2, beside: 2 },
  ];
};

/** Several workers are children of a primary process, which handles no requests. */
const workerPids = ({ service, workers }: Case): number[] => (workers === 1 ? [service.pid] : childrenOf(service.pid));

const measureRounds = async (
  stage: Stage,
  cases: readonly Case[],
  target: Omit<Target, "port">,
  connectionsOf: (workers: number) => number,
): Promise<Row[]> => {
  const measured = cases.map((): Measured[] => []);
  for (let round = 0; round <= rounds; round++) {
    print(round === 0 ? "Warming up" : `Round ${round} of ${rounds}`);
    const order = [...cases.entries()];
    for (const [index, each] of round % 2 === 0 ? order : order.toReversed()) {
      const limits = { connections: connectionsOf(each.workers), seconds, mostRequests: Number.POSITIVE_INFINITY };
      const figures = await measure(stage, each.service, { ...target, limits });
      if (round > 0) measured[index]?.push(figures);
    }
  }
  return cases.map(({ name, beside }, index) => {
    const own = measured[index] ?? [];
    return {
      name,
      perSecond: own.map(({ perSecond }) => perSecond),
      ratio: own.map(({ perSecond }, round) => perSecond / (measured[beside]?.[round]?.perSecond ?? Number.NaN)),
      serviceMs: own.map(({ serviceMs }) => serviceMs),
      databaseMs: own.map(({ databaseMs }) => databaseMs),
    };
  });
};

const measure = async (
  { postgresPid }: Stage,
  { url, pid }: Service,
  { limits, ...target }: Omit<Target, "port"> & { limits: Limits },
): Promise<Measured> => {
  const before = takeCpuSnapshot();
  const { perSecond, requests } = await load({ ...target, port: Number(new URL(url).port) }, limits);
  const after = takeCpuSnapshot();
  const ms = (of: number) => ((after.secondsOf(of) - before.secondsOf(of)) * 1_000) / requests;
  return { perSecond, serviceMs: ms(pid), databaseMs: ms(postgresPid) };
};

const tableOf = (rows: readonly Row[]): string =>
  table(
    ["case", "requests a second", "÷ one process", "CPU ms of the service", "CPU ms of PostgreSQL"],
    rows.map(({ name, perSecond, ratio, serviceMs, databaseMs }) => [
      name,
      ...[perSecond, ratio, serviceMs, databaseMs].map((figures) => spreadInWords(spreadOf(figures))),
    ]),
  );

const report = (free: readonly Row[], limited: { together: Row[]; each: Row[] } | null): void => {
  const withShare = limited
    ? `Each worker is limited to ${share} of a core, which leaves free cores to PostgreSQL and the load generator.

64 connections in all. Requests that arrive together share statements, and each of two workers has half as many of them:

${tableOf(limited.together)}

64 connections for each worker, 128 for two:

${tableOf(limited.each)}`
    : "Not measured: it needs root and Linux's control groups.";
  const page = `# Two workers beside one process

Route data by key. Median of ${rounds} interleaved rounds (smallest–largest of them); CPU time is that of one request.

Two workers with limits in Redis are compared with one process that counts there too; those with limits in PostgreSQL with one that
counts in memory, because one process does not count in PostgreSQL.

## With the whole machine

16 connections. The load generator, PostgreSQL and the workers share the cores: a second worker helps only if there are more.

${tableOf(free)}

## With a share of a core for each worker

${withShare}

- ${machineInWords()}.
- Without pipelining, ${seconds} s a case and round, after ${warmUpSeconds} s to warm up; ${accountsTakingTurns} accounts take turns, limits on.`;
  print(`\n${page}\n`);
  writeResults("workers", { rounds, seconds, share, accounts: accountsTakingTurns, free, limited }, page);
};
