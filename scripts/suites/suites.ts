/** The suites of `npm test`: command, dependencies, and how results are counted. */
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright";
import { installedChromium } from "../installed-chromium.ts";

export type Counts = { passed: number; failed: number; skipped: number };

export type Suite = {
  name: string;
  command: [program: string, ...args: string[]];
  env?: Record<string, string>;
  /** How many cores it uses; 1 if unset. */
  cores?: number;
  /** Suites that must have passed first. */
  needs?: string[];
  usesDatabase?: boolean;
  /** Reads the counts from its report. Without it the suite counts as one check. */
  counts?: () => Counts;
  /** Why it cannot run here; null if it can. */
  missing?: () => string | null;
};

export const resultsFolder = path.join("test-results", "summary");
export const reportOf = (suite: string): string => path.join(resultsFolder, `${suite}.json`);

const read = <Report>(suite: string) => JSON.parse(fs.readFileSync(reportOf(suite), "utf8")) as Report;
const bin = (name: string, ...args: string[]): Suite["command"] => [path.join("node_modules", ".bin", name), ...args];
const tsx = (...args: string[]): Suite["command"] => [process.execPath, "--import", "tsx", ...args];

const vitest = (project: string) => ({
  command: bin(
    "vitest",
    "run",
    `--project=${project}`,
    "--passWithNoTests",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${reportOf(project)}`,
  ),
  counts: (): Counts => {
    type File = { status: string; assertionResults: unknown[] };
    type Report = Record<"numPassedTests" | "numFailedTests" | "numPendingTests" | "numTodoTests", number>;
    const report = read<Report & { testResults: File[] }>(project);
    // A file that cannot be loaded fails without any test.
    const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
    };
  },
});

const playwrightCounts = (): Counts => {
  type Stats = Record<"expected" | "unexpected" | "flaky" | "skipped", number>;
  const { expected, unexpected, flaky, skipped } = read<{ stats: Stats }>("journeys").stats;
  return { passed: expected + flaky, failed: unexpected, skipped };
};

const noBrowser = (): string | null =>
  installedChromium() === null && !fs.existsSync(chromium.executablePath())
    ? 'no Chromium: run "npx playwright install chromium" or "apt-get install chromium-headless-shell", or set CHROMIUM_PATH'
    : null;

const noCheckout = (): string | null =>
  fs.existsSync(".git") ? null : "no Git checkout: its files are what is searched";

export const suites: Suite[] = [
  { name: "types", command: bin("tsc", "--noEmit") },
  {
    name: "lint",
    command: bin("biome", "ci", "--error-on-warnings", `--colors=${process.stdout.isTTY ? "force" : "off"}`, "."),
  },
  {
    name: "imports",
    command: bin("depcruise", "--config", ".dependency-cruiser.cjs", "app", "drizzle", "inngest", "scripts", "server"),
  },
  { name: "unused", command: bin("knip") },
  { name: "schema", command: tsx("scripts/check-schema.ts") },
  { name: "openapi", command: tsx("scripts/check-openapi.ts") },
  { name: "contrast", command: tsx("scripts/check-contrast.ts") },
  { name: "secrets", command: tsx("scripts/check-secrets.ts"), missing: noCheckout },
  { name: "lockfile", command: tsx("scripts/check-lockfile.ts") },
  { name: "build", command: tsx("scripts/build.ts") },
  { name: "unit", ...vitest("unit"), usesDatabase: true },
  {
    name: "faults",
    // The short form; `npm run faults` is the long one.
    command: tsx("e2e/faults/run.ts", "--kills", "12", "--months", "3", "--accounts", "25"),
    usesDatabase: true,
  },
  { name: "contract", ...vitest("contract"), needs: ["build"], usesDatabase: true },
  {
    name: "journeys",
    command: bin("playwright", "test"),
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf("journeys") },
    cores: 2,
    needs: ["build"],
    usesDatabase: true,
    counts: playwrightCounts,
    missing: noBrowser,
  },
];
