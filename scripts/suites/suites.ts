/** The suites of `npm test`: command, dependencies, and how results are counted. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { chromium } from "playwright";
import { installedChromium } from "../installed-chromium.ts";

export type Counts = { passed: number; failed: number; skipped: number };

/** What a suite's report says: how many tests, and which ones failed. */
export type Results = Counts & { failures?: string[] };

export type Suite = {
  name: string;
  command: [program: string, ...args: string[]];
  env?: Record<string, string>;
  /** Suites that must have passed first. */
  needs?: string[];
  usesDatabase?: boolean;
  /** Reads the results from its report. Without it the suite counts as one check. */
  counts?: () => Results;
  /** Why it cannot run here; null when it can. */
  missing?: () => string | null;
};

export const resultsFolder = path.join("test-results", "summary");
/** What the services of all suites print. */
export const serviceLogsFolder = path.join("test-results", "service-logs");
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
  counts: (): Results => {
    type Test = { status: string; fullName: string; failureMessages: string[] };
    type File = { name: string; status: string; message: string; assertionResults: Test[] };
    type Report = Record<"numPassedTests" | "numFailedTests" | "numPendingTests" | "numTodoTests", number>;
    const report = read<Report & { testResults: File[] }>(project);
    // A file that cannot be loaded fails without any test.
    const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failures: report.testResults.flatMap(({ name, message, assertionResults }) => {
        const failed = assertionResults.filter(({ status }) => status === "failed");
        const file = path.relative("", name);
        return assertionResults.length === 0 && message !== ""
          ? [failure(file, message)]
          : failed.map(({ fullName, failureMessages }) => failure(`${file} › ${fullName}`, failureMessages[0]));
      }),
    };
  },
});

/** The message's first line is enough to find the test in the output above. */
const failure = (test: string, message = ""): string => `${test}: ${message.split("\n", 1)[0]}`;

type JourneyError = { message?: string; location?: { line: number } };

/** Playwright's first line says only which matcher failed. What it looked for and what it found are in the lines below. */
const journeyMessage = ({ message = "", location }: JourneyError = {}): string => {
  const [facts = ""] = stripVTControlCharacters(message).split(/\n\s*Call log:/i);
  return `line ${location?.line ?? "unknown"}: ${facts.replace(/\s+/g, " ").trim().slice(0, 1_000)}`;
};

const journeyResults = (): Results => {
  type Stats = Record<"expected" | "unexpected" | "flaky" | "skipped", number>;
  type Test = { projectName: string; status: string; results: { error?: JourneyError }[] };
  type Node = { suites?: Node[]; specs?: { file: string; title: string; tests: Test[] }[] };
  const report = read<{ stats: Stats; suites: Node[] }>("journeys");
  const failuresOf = ({ suites = [], specs = [] }: Node): string[] => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === "unexpected")
        .map(({ projectName, results }) =>
          failure(`[${projectName}] ${file} › ${title}`, journeyMessage(results[0]?.error)),
        ),
    ),
    ...suites.flatMap(failuresOf),
  ];
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected, skipped, failures: report.suites.flatMap(failuresOf) };
};

const noBrowser = (): string | null =>
  installedChromium() === null && !fs.existsSync(chromium.executablePath())
    ? 'no Chromium: run "npx playwright install chromium" or "apt-get install chromium-headless-shell", or set CHROMIUM_PATH'
    : null;

const noPython = (): string | null =>
  spawnSync("python3", ["--version"]).status === 0 ? null : 'no Python: run "apt-get install python3"';

const noCheckout = (): string | null =>
  fs.existsSync(".git") ? null : "no Git checkout: its files are what is searched";

export const suites: Suite[] = [
  { name: "types", command: bin("tsc", "--noEmit") },
  {
    name: "lint",
    command: bin("biome", "ci", "--error-on-warnings", `--colors=${process.stdout.isTTY ? "force" : "off"}`, "."),
  },
  { name: "promises", command: bin("eslint", ".") },
  {
    name: "imports",
    command: bin("depcruise", "--config", ".dependency-cruiser.cjs", "app", "drizzle", "inngest", "scripts", "server"),
  },
  { name: "unused", command: bin("knip") },
  { name: "schema", command: tsx("scripts/check-schema.ts") },
  { name: "openapi", command: tsx("scripts/check-openapi.ts") },
  { name: "clients", command: tsx("scripts/clients/generate.ts", "--check") },
  {
    name: "python",
    command: [
      "sh",
      "-c",
      "cd clients/python && exec python3 -m unittest discover --start-directory tests --top-level-directory .",
    ],
    env: { PYTHONDONTWRITEBYTECODE: "1" },
    missing: noPython,
  },
  { name: "contrast", command: tsx("scripts/check-contrast.ts") },
  { name: "secrets", command: tsx("scripts/check-secrets.ts"), missing: noCheckout },
  { name: "lockfile", command: tsx("scripts/check-lockfile.ts") },
  { name: "licences", command: tsx("scripts/check-licences.ts") },
  { name: "build", command: tsx("scripts/build.ts") },
  { name: "unit", ...vitest("unit"), usesDatabase: true },
  { name: "contract", ...vitest("contract"), needs: ["build"], usesDatabase: true },
  { name: "isolated", ...vitest("isolated"), usesDatabase: true },
  {
    name: "faults",
    // The short forms; `npm run faults` runs the long ones.
    command: tsx("e2e/faults/workers/run.ts", "--kills", "12", "--months", "2", "--accounts", "25"),
    usesDatabase: true,
  },
  { name: "outages", ...vitest("outages"), needs: ["build"], usesDatabase: true },
  {
    name: "journeys",
    command: bin("playwright", "test"),
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf("journeys") },
    needs: ["build"],
    usesDatabase: true,
    counts: journeyResults,
    missing: noBrowser,
  },
  {
    name: "logs",
    command: tsx("scripts/suites/check-logs.ts", serviceLogsFolder),
    needs: ["build", "outages", "contract", "journeys"],
  },
];
