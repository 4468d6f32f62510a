/**
 * Compares the API of this build with that of another checkout, on the same database and in interleaved rounds: CPU time of
 * a request, which hardly depends on other load, and requests a second, as ratios.
 */
import path from "node:path";
import { type Service, startService } from "../app/testing/service.ts";
import type { Limits } from "./load.ts";
import { type LoadGenerator, startLoadGenerator } from "./load-generator.ts";
import { takeCpuSnapshot } from "./processes.ts";
import { machineInWords, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { buy, type Customer, newCustomer, openStage, print, routeOnSale, type Stage } from "./stage.ts";

const accountsTakingTurns = 40;
const rounds = 5;
const limits: Limits = { connections: 16, seconds: 1.5, mostRequests: 5_000 };

/** @param options one folder: a checkout with a build of the service */
export const run = async ([folder]: string[]): Promise<void> => {
  if (folder === undefined) throw new Error("Beside which checkout? npm run bench -- beside FOLDER");
  const other = path.resolve(folder);
  const stage = await openStage();
  const generator = startLoadGenerator();
  const stops: (() => Promise<void>)[] = [() => stage.close(), () => generator.stop()];
  try {
    const route = await routeOnSale(stage);
    const customers: Customer[] = [];
    for (let number = 1; number <= accountsTakingTurns; number++) {
      const customer = await newCustomer(stage, `bench-${number}`);
      await buy(stage, customer, route.periodId);
      customers.push(customer);
    }
    process.env.TEST_DATABASE_URL = stage.adminUrl;
    const start = async (checkout?: string): Promise<Service> => {
      const service = await startService({ databaseUrl: stage.databaseUrl, ...(checkout ? { checkout } : {}) });
      stops.push(service.stop);
      return service;
    };
    const services = { before: await start(other), after: await start() };
    const results = casesOf(customers, route.id).map((each) => ({ ...each, before: [], after: [] }) as Result);

    for (let round = 0; round <= rounds; round++) {
      print(round === 0 ? "Warming up" : `Round ${round} of ${rounds}`);
      for (const result of results) {
        for (const which of round % 2 === 0 ? builds : builds.toReversed()) {
          const measured = await measure(stage, generator, services[which], result);
          if (round > 0) result[which].push(measured);
        }
      }
    }
    report(results);
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
};

const builds = ["before", "after"] as const;
type Case = { name: string; path: string; callers: Record<string, string>[]; connections?: number };
type Measured = { perSecond: number; nodeMicros: number; postgresMicros: number };
type Result = Case & Record<(typeof builds)[number], Measured[]>;

const measure = async (
  { postgresPid }: Stage,
  generator: LoadGenerator,
  service: Service,
  { path, callers, connections = limits.connections }: Case,
): Promise<Measured> => {
  const before = takeCpuSnapshot();
  const port = Number(new URL(service.url).port);
  const { perSecond, requests } = await generator.run({ port, path, callers, limits: { ...limits, connections } });
  const after = takeCpuSnapshot();
  const microsOf = (pid: number) => ((after.secondsOf(pid) - before.secondsOf(pid)) * 1_000_000) / requests;
  return { perSecond, nodeMicros: microsOf(service.pid), postgresMicros: microsOf(postgresPid) };
};

const casesOf = (customers: Customer[], routeId: number): Case[] => {
  const byKey = customers.map(({ key, username }) => ({ "X-API-Key": key, "X-Username": username }));
  const byToken = customers.map(({ token }) => ({ Authorization: `Bearer ${token}` }));
  const bearer = (path: string): Case => ({ name: `\`${path}\``, path: `/api${path}`, callers: byToken });
  const data = { path: `/api/api-routes-data?id=${routeId}`, callers: byKey };
  return [
    { name: "`/api-routes-data?id=…`", ...data },
    { name: "the same, one connection", ...data, connections: 1 },
    bearer(`/route-access/routes-data?id=${routeId}`),
    bearer("/route-access/all-routes?q=rotterdam&limit=20"),
    bearer("/route-access/all-routes?q=rotterdam&limit=20&facets=true"),
    bearer("/route-access/all-routes?limit=20"),
    bearer("/catalogue/suggestions?q=shangh+rott"),
    bearer("/subscriptions/my-routes"),
    bearer("/subscriptions/upcoming-expirations"),
    bearer("/subscriptions/my-stats"),
    bearer("/subscriptions/api-call-usage?period=days"),
    bearer("/api-keys"),
    bearer("/api-usage-logs?limit=20"),
  ];
};

const report = (results: Result[]): void => {
  const rows = results.map(({ name, before, after }) => {
    const spread = (of: (measured: Measured) => number, measured: Measured[]) =>
      spreadInWords(spreadOf(measured.map(of)));
    return [
      name,
      spread(({ nodeMicros }) => nodeMicros, before),
      spread(({ nodeMicros }) => nodeMicros, after),
      spread(({ postgresMicros }) => postgresMicros, before),
      spread(({ postgresMicros }) => postgresMicros, after),
      spreadInWords(spreadOf(after.map(({ perSecond }, round) => perSecond / (before[round]?.perSecond ?? 0)))),
    ];
  });
  const result = table(
    [
      "request",
      "node CPU µs, before",
      "after",
      "PostgreSQL CPU µs, before",
      "after",
      "requests a second, after ÷ before",
    ],
    rows,
  );
  print(`\n${result}\n`);
  const page = `# A build beside the one before it

Median of ${rounds} interleaved rounds (smallest–largest of them). CPU time is that of one request.

${result}

- ${machineInWords()}.
- ${limits.connections} connections without pipelining, at most ${limits.seconds} s a case and round, after one round to warm up. ${accountsTakingTurns} accounts with one
  subscription each take turns, one database for both, limits on; every request commits a usage record before it is
  answered.`;
  writeResults("beside", { rounds, limits, accounts: accountsTakingTurns, results: results.map(figuresOf) }, page);
};

const figuresOf = ({ name, before, after }: Result) => ({ name, before, after });
