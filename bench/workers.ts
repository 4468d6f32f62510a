/**
 * Two worker processes beside one, and what it costs to share the limits: counted in memory by the one, in PostgreSQL or in
 * Redis by the two. All cases run in interleaved rounds on one database. The CPU time of a request is that of the service's
 * processes and of PostgreSQL's; it says what the machine has to do, whatever else runs on it.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { startRedisServer, withoutRedis } from "../app/testing/redis-server.ts";
import { type Service, startService } from "../app/testing/service.ts";
import { type Limits, load, type Target } from "./load.ts";
import { machineInWords, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { buy, type Customer, newCustomer, openStage, print, routeOnSale } from "./stage.ts";

const accountsTakingTurns = 40;
const rounds = 5;
const limits: Limits = { connections: 16, seconds: 2, mostRequests: 6_000 };

type Measured = { perSecond: number; serviceMs: number; databaseMs: number };
type Case = { name: string; service: Service; path: string; measured: Measured[] };

export const run = async (): Promise<void> => {
  const stage = await openStage();
  const closers: (() => Promise<void>)[] = [() => stage.close()];
  try {
    const route = await routeOnSale(stage);
    const customers: Customer[] = [];
    for (let number = 1; number <= accountsTakingTurns; number++) {
      const customer = await newCustomer(stage, `bench-${number}`);
      await buy(stage, customer, route.periodId);
      customers.push(customer);
    }
    // With this, `startService` does not start the database server for tests.
    process.env.TEST_DATABASE_URL = stage.adminUrl;
    const start = async (env: Record<string, string>): Promise<Service> => {
      const service = await startService({ databaseUrl: stage.databaseUrl, env });
      closers.push(service.stop);
      return service;
    };
    const one = await start({ WEB_CONCURRENCY: "1" });
    const two = await start({ WEB_CONCURRENCY: "2" });
    const cases: Case[] = [];
    const add = (name: string, service: Service) => {
      const answers = { "whole document": "", "small answer": "&limit=1" };
      for (const [answer, query] of Object.entries(answers)) {
        const path = `/api/api-routes-data?id=${route.id}${query}`;
        cases.push({ name: `${name}, ${answer}`, service, path, measured: [] });
      }
    };
    add("1 process, limits in memory", one);
    add("2 workers, limits in PostgreSQL", two);
    if (!withoutRedis()) {
      const redis = await startRedisServer();
      closers.push(redis.stop);
      add("2 workers, limits in Redis", await start({ WEB_CONCURRENCY: "2", REDIS_URL: redis.url }));
    }
    const databasePid = Number(readFileSync(`${stage.folder}/postgres/postmaster.pid`, "utf8").split("\n")[0]);
    for (let round = 0; round <= rounds; round++) {
      print(round === 0 ? "Warming up" : `Round ${round} of ${rounds}`);
      for (const each of round % 2 === 0 ? cases : cases.toReversed()) {
        const measured = await measure(each, customers, databasePid);
        if (round > 0) each.measured.push(measured);
      }
    }
    report(cases);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
};

const measure = async ({ service, path }: Case, customers: Customer[], databasePid: number): Promise<Measured> => {
  const turn = (request: number) => customers[request % customers.length] as Customer;
  const headers = (request: number) => ({ "X-API-Key": turn(request).key, "X-Username": turn(request).username });
  const target: Target = { port: Number(new URL(service.url).port), path, headers };
  const before = { service: cpuMs(service.pid), database: cpuMs(databasePid) };
  const { perSecond, requests } = await load(target, limits);
  return {
    perSecond,
    serviceMs: (cpuMs(service.pid) - before.service) / requests,
    databaseMs: (cpuMs(databasePid) - before.database) / requests,
  };
};

/** The CPU time of a process and its children, from /proc: Linux only. */
const cpuMs = (pid: number): number => {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(statOf);
  const own = stats.filter((stat) => stat.pid === pid || stat.parent === pid);
  return (own.reduce((sum, { ticks }) => sum + ticks, 0) * 1_000) / ticksPerSecond;
};

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

const statOf = (pid: string): { pid: number; parent: number; ticks: number }[] => {
  try {
    // After the name, which may contain spaces: state, parent … user time, system time.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ").map(Number) ?? [];
    return [{ pid: Number(pid), parent: fields[1] ?? 0, ticks: (fields[11] ?? 0) + (fields[12] ?? 0) }];
  } catch {
    return []; // It has ended meanwhile.
  }
};

const report = (cases: Case[]): void => {
  const rows = cases.map(({ name, measured }, index) => {
    // The first two cases are those of one process.
    const base = cases[index % 2]?.measured ?? [];
    const ratio = (of: (each: Measured) => number) =>
      spreadOf(measured.map((each, round) => of(each) / of(base[round] as Measured)));
    return {
      name,
      throughput: ratio(({ perSecond }) => perSecond),
      cpu: ratio(({ serviceMs, databaseMs }) => serviceMs + databaseMs),
      serviceMs: spreadOf(measured.map(({ serviceMs }) => serviceMs)),
      databaseMs: spreadOf(measured.map(({ databaseMs }) => databaseMs)),
    };
  });
  const result = table(
    [
      "case",
      "requests a second ÷ one process",
      "CPU time ÷ one process",
      "CPU ms of the service",
      "CPU ms of PostgreSQL",
    ],
    rows.map(({ name, throughput, cpu, serviceMs, databaseMs }) => [
      name,
      ...[throughput, cpu, serviceMs, databaseMs].map(spreadInWords),
    ]),
  );
  print(`\n${result}\n`);
  const page = `# Two workers beside one process

Route data by key. Median of ${rounds} interleaved rounds (smallest–largest of them); CPU time is that of one request.

${result}

- ${machineInWords()}.
- ${limits.connections} connections without pipelining, ${limits.seconds} s a case and round; ${accountsTakingTurns} accounts take turns, limits on.
- Where the load generator, PostgreSQL and other programs use both cores, a second worker cannot answer more requests a second.
  The CPU time of a connection that PostgreSQL closed during a case is lost, which can make a figure too small or negative.`;
  writeResults("workers", { rounds, limits, accounts: accountsTakingTurns, rows }, page);
};
