/**
 * Compares the API of this build with that of another checkout, on the same database and in interleaved rounds. The
 * results are ratios.
 */
import path from "node:path";
import { startService } from "../app/testing/service.ts";
import { fetchBody, type Limits, load, type Target } from "./load.ts";
import { machineInWords, type Spread, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { buy, type Customer, newCustomer, openStage, print, routeOnSale } from "./stage.ts";

const accountsTakingTurns = 40;
const rounds = 5;
const limits: Limits = { connections: 16, seconds: 1.5, mostRequests: 3_000 };

/** @param options one folder: a checkout with a build of the service */
export const run = async ([folder]: string[]): Promise<void> => {
  if (folder === undefined) throw new Error("Beside which checkout? npm run bench -- beside FOLDER");
  const other = path.resolve(folder);
  const stage = await openStage();
  const stops: (() => Promise<void>)[] = [() => stage.close()];
  try {
    const route = await routeOnSale(stage);
    const customers: Customer[] = [];
    for (let number = 1; number <= accountsTakingTurns; number++) {
      const customer = await newCustomer(stage, `bench-${number}`);
      await buy(stage, customer, route.periodId);
      customers.push(customer);
    }
    process.env.TEST_DATABASE_URL = stage.adminUrl;
    const start = async (checkout?: string): Promise<number> => {
      const service = await startService({ databaseUrl: stage.databaseUrl, ...(checkout ? { checkout } : {}) });
      stops.push(service.stop);
      return Number(new URL(service.url).port);
    };
    const ports = { before: await start(other), after: await start() };
    const cases = casesOf(customers, route.id);

    const ratios = cases.map(() => [] as number[]);
    for (let round = 0; round <= rounds; round++) {
      print(round === 0 ? "Warming up" : `Round ${round} of ${rounds}`);
      for (const [index, { target, connections }] of cases.entries()) {
        const order = round % 2 === 0 ? (["before", "after"] as const) : (["after", "before"] as const);
        const measured = { before: 0, after: 0 };
        for (const which of order) {
          const { perSecond } = await load({ port: ports[which], ...target }, { ...limits, connections });
          measured[which] = perSecond;
        }
        if (round === 0) continue;
        ratios[index]?.push(measured.after / measured.before);
      }
    }
    const { byteLength } = await fetchBody({ port: ports.after, ...(cases[0] as Case).target });
    report(
      cases.map(({ name }, index) => ({ name, after: spreadOf(ratios[index] ?? []) })),
      byteLength,
    );
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
};

type Case = { name: string; target: Omit<Target, "port">; connections: number };

const casesOf = (customers: Customer[], routeId: number): Case[] => {
  const turn = (request: number) => customers[request % customers.length] as Customer;
  const byKey = (request: number) => ({ "X-API-Key": turn(request).key, "X-Username": turn(request).username });
  const byToken = (request: number) => ({ Authorization: `Bearer ${turn(request).token}` });
  const { connections } = limits;
  const data = { path: `/api/api-routes-data?id=${routeId}`, headers: byKey };
  return [
    { name: "Route data, by key", target: data, connections },
    { name: "Route data, by key, one connection", target: data, connections: 1 },
    {
      name: "Route data, by token",
      target: { path: `/api/route-access/routes-data?id=${routeId}`, headers: byToken },
      connections,
    },
    {
      name: "Search of all routes",
      target: { path: "/api/route-access/all-routes?q=rotterdam&limit=20", headers: byToken },
      connections,
    },
  ];
};

const report = (rows: { name: string; after: Spread }[], bodyBytes: number): void => {
  const result = table(
    ["case", "requests a second, after ÷ before"],
    rows.map(({ name, after }) => [name, spreadInWords(after)]),
  );
  print(`\n${result}\n`);
  const page = `# A build beside the one before it

Median of ${rounds} interleaved rounds (smallest–largest of them). Above 1: more requests a second than before.

${result}

- ${machineInWords()}.
- Before: every request read the route's document and made it. After: key, version and access are read for all waiting
  requests together; the document is made once for a version.
- ${limits.connections} connections without pipelining, ${limits.seconds} s a case and round; route data has ${bodyBytes} bytes. ${accountsTakingTurns} accounts
  take turns, one database for both, limits on; every request commits a usage record before it is answered.`;
  writeResults("beside", { rounds, limits, accounts: accountsTakingTurns, bodyBytes, rows }, page);
};
