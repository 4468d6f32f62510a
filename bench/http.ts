/**
 * The throughput of the API as ratios: the same build behind our server (node:http) and behind `remix-serve`, compared
 * with a bare node:http server that sends the same bytes. All cases run in interleaved rounds, so that other load on
 * the machine affects them equally.
 *
 * Rate limits stay on. An enterprise account may send 100 requests a second, so many accounts take turns. A response
 * other than 200 ends the run.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startService } from "../app/testing/service.ts";
import { fetchBody, type Limits, load, type Measurement, type Target } from "./load.ts";
import { machineInWords, type Spread, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { buy, type Customer, newCustomer, openStage, print, routeOnSale, type Stage } from "./stage.ts";

const accountsTakingTurns = 80;
const rounds = 7;
const limits: Limits = { connections: 16, seconds: 1.5, mostRequests: 30_000 };

type Case = { name: string; target: Target; limits: Limits };

export const run = async (): Promise<void> => {
  const stage = await openStage();
  const closers: (() => Promise<void>)[] = [() => stage.close()];
  try {
    const { cases, bodyBytes } = await prepare(stage, closers);
    await measureAll(cases, { ...limits, seconds: 1 });
    const measured: Measurement[][] = [];
    for (let round = 1; round <= rounds; round++) {
      print(`Round ${round} of ${rounds}`);
      measured.push(await measureAll(cases, limits, round % 2 === 0));
    }
    report(cases, measured, bodyBytes);
  } finally {
    for (const close of closers.toReversed()) await close();
  }
};

const prepare = async (stage: Stage, closers: (() => Promise<void>)[]) => {
  const route = await routeOnSale(stage);
  print(`Opening ${accountsTakingTurns} accounts`);
  const customers: Customer[] = [];
  for (let number = 1; number <= accountsTakingTurns; number++) {
    const customer = await newCustomer(stage, `bench-${number}`);
    await buy(stage, customer, route.periodId);
    customers.push(customer);
  }

  print("Starting the servers");
  // With this, `startService` does not start the database server for tests.
  process.env.TEST_DATABASE_URL = stage.adminUrl;
  const start = async (by: "server" | "remix-serve"): Promise<number> => {
    const service = await startService({ by, databaseUrl: stage.databaseUrl });
    closers.push(service.stop);
    return Number(new URL(service.url).port);
  };
  const node = await start("server");
  const remix = await start("remix-serve");

  const turn = (request: number) => customers[request % customers.length] as Customer;
  const byKey = (request: number) => ({ "X-API-Key": turn(request).key, "X-Username": turn(request).username });
  const byToken = (request: number) => ({ Authorization: `Bearer ${turn(request).token}` });
  const data = { path: `/api/api-routes-data?id=${route.id}`, headers: byKey };
  const body = await fetchBody({ port: node, ...data });
  const bare = await startBare(stage, body, closers);
  const search = { path: "/api/route-access/all-routes?q=rotterdam&limit=20", headers: byToken };
  const cases: Case[] = [
    { name: "Route data, our server (node:http)", target: { port: node, ...data }, limits },
    { name: "Route data, remix-serve", target: { port: remix, ...data }, limits },
    { name: "The same bytes, bare node:http", target: { port: bare, ...data }, limits },
    { name: "Search of all routes, our server", target: { port: node, ...search }, limits },
    {
      name: "Route data, our server, one connection",
      target: { port: node, ...data },
      limits: { ...limits, connections: 1 },
    },
  ];
  return { cases, bodyBytes: body.byteLength };
};

const startBare = async (stage: Stage, body: Buffer, closers: (() => Promise<void>)[]): Promise<number> => {
  const file = path.join(stage.folder, "body.json");
  writeFileSync(file, body);
  const script = fileURLToPath(new URL("bare-server.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, file], { stdio: ["ignore", "pipe", "inherit"] });
  closers.push(async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  const [port] = await once(child.stdout, "data");
  return Number(String(port));
};

/** Reverses every other round, so that no case always follows the same one. */
const measureAll = async (cases: Case[], most: Limits, backwards = false): Promise<Measurement[]> => {
  const measured = new Map<Case, Measurement>();
  for (const each of backwards ? cases.toReversed() : cases) {
    measured.set(each, await load(each.target, { ...each.limits, seconds: most.seconds }));
  }
  return cases.map((each) => measured.get(each) as Measurement);
};

const report = (cases: Case[], measured: Measurement[][], bodyBytes: number): void => {
  const ratios = cases.map(({ name }, index) => {
    const ratio = (of: (measurement: Measurement) => number): Spread =>
      spreadOf(
        measured.map((round) => {
          const [base, own] = [round[0], round[index]];
          if (!base || !own) throw new Error("A round is incomplete");
          return of(own) / of(base);
        }),
      );
    const requests = measured.reduce((sum, round) => sum + (round[index]?.requests ?? 0), 0);
    return {
      name,
      requests,
      throughput: ratio(({ perSecond }) => perSecond),
      p50: ratio(({ p50Ms }) => p50Ms),
      p99: ratio(({ p99Ms }) => p99Ms),
    };
  });
  const rows = ratios.map(({ name, requests, throughput, p50, p99 }) => [
    name,
    spreadInWords(throughput),
    spreadInWords(p50),
    spreadInWords(p99),
    String(requests),
  ]);
  const result = table(["case", "requests a second", "median time", "99th percentile", "requests sent"], rows);
  print(`\n${result}\n`);
  const page = `# HTTP, as ratios to the first line

Median of ${rounds} interleaved rounds (smallest–largest of them). Above 1 is more requests a second, or a longer time.

${result}

- ${machineInWords()}.
- ${limits.connections} connections without pipelining, ${limits.seconds} s a case and round; the answer with route data has ${bodyBytes} bytes.
- The limits are on. ${accountsTakingTurns} enterprise accounts take turns; an answer other than 200 ends the run.
- Every request but those to the bare server looks up its key or token, counts against its account, reads from
  PostgreSQL and commits a usage record before it is answered. The database writes durably.`;
  writeResults("http", { rounds, limits, accounts: accountsTakingTurns, bodyBytes, ratios }, page);
};
