/** Seeds a migrated database with the demo. Idempotent. To run it by hand: `npx tsx drizzle/seed/seed.ts`. */
import { pathToFileURL } from "node:url";
import { computeBenchmarks } from "#app/domain/benchmarks/compute.server.ts";
import { catalogueIsImported, type ImportProgress, importCatalogue } from "#app/domain/catalogue/import.server.ts";
import { type Clock, systemClock } from "#app/domain/clock.ts";
import { dayOf } from "#app/domain/dates.ts";
import { publishDemoSchedule } from "#app/domain/schedules/demo/demo-schedule.server.ts";
import { markSample } from "#app/domain/stock/mark-sample.server.ts";
import { commandWaitMs, type Db, openDatabase } from "#app/platform/db.server.ts";
import { readDemoCatalogue } from "./catalogue-files.ts";
import { seedDemoAccount, seedDemoOperator } from "./demo-account.ts";
import type { SeededDemo } from "./demo-identity.ts";

/** Routes that everybody may read: one of each cargo type, three of them between the same ports. */
const demoSamples = ["C-JPYOK-USLAX-CAL9", "R-JPYOK-USLAX-DRO9", "K-JPYOK-USLAX-TIN9", "B-AUNTL-JPMIZ-UMB9"];

type Report = (line: string) => void;

/** `report` receives progress lines. A line that begins with a carriage return replaces the previous one. */
export const seed = async (
  databaseUrl: string,
  report: Report,
  appUrl = "http://localhost:3000",
): Promise<SeededDemo> => {
  const { db, close } = openDatabase(databaseUrl, { connections: 2, requestWaitMs: commandWaitMs });
  try {
    const ctx = { db, clock: systemClock };
    await seedCatalogue(ctx, report);
    const startedAt = performance.now();
    await seedDemoOperator({ ...ctx, appUrl });
    const demo = await seedDemoAccount({ ...ctx, appUrl });
    report(`Demo accounts: ready in ${secondsSince(startedAt)} s`);
    return demo;
  } finally {
    await close();
  }
};

/** @returns whether the catalogue had to be imported */
export const seedCatalogue = async (ctx: { db: Db; clock: Clock }, report: Report): Promise<boolean> => {
  const startedAt = performance.now();
  const { source, ...expected } = readDemoCatalogue({ today: dayOf(ctx.clock.now()) });
  if (await catalogueIsImported(ctx, expected)) return false;
  report("Importing the demo catalogue (once, about ten seconds)");
  const { routes, reports } = await importCatalogue(ctx, source, progressBar(report));
  for (const code of demoSamples) await markSample(ctx, { machineUser: "demo" }, { code });
  await Promise.all([publishDemoSchedule(ctx), computeBenchmarks(ctx)]);
  report(`Imported ${thousands(routes)} routes with ${thousands(reports)} reports in ${secondsSince(startedAt)} s`);
  return true;
};

/** A progress bar on a terminal; elsewhere a line for every tenth. */
const progressBar = (report: Report, isTerminal: boolean = process.stdout.isTTY === true) => {
  let lastTenth = -1;
  return ({ step, rowsDone, rowsExpected }: ImportProgress): void => {
    const percent = rowsExpected === 0 ? 100 : Math.floor((rowsDone / rowsExpected) * 100);
    const numbers = `${String(percent).padStart(3)} %  ${thousands(rowsDone)} of ${thousands(rowsExpected)} rows`;
    if (isTerminal) {
      const filled = Math.round(percent / 4);
      const end = step === "statistics" ? "\n" : "";
      report(`\r  [${"█".repeat(filled)}${"░".repeat(25 - filled)}] ${numbers}${end}`);
      return;
    }
    const tenth = Math.floor(percent / 10);
    if (tenth > lastTenth) report(`  ${numbers}`);
    lastTenth = tenth;
  };
};

const secondsSince = (startedAt: number): string => ((performance.now() - startedAt) / 1000).toFixed(1);

const thousands = (count: number): string => count.toLocaleString("en-US");

/** Writes lines to the terminal. A line that begins with a carriage return overwrites the previous one. */
export const reportToTerminal: Report = (line) => {
  process.stdout.write(line.startsWith("\r") ? line : `${line}\n`);
};

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl) {
    process.stderr.write("Set DATABASE_URL to the database to fill\n");
    process.exit(1);
  }
  await seed(databaseUrl, reportToTerminal);
}
