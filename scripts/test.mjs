/**
 * `npm test`: every suite, whatever the ones before it said, and a summary. `npm test -- lint unit` runs those two.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installedChromium } from "./installed-chromium.mjs";
import { build, checkNode, fail, install } from "./prepare.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const results = path.join("test-results", "summary");

const bin = (name, ...args) => [path.join("node_modules", ".bin", name), ...args];
const vitest = (project) =>
  bin("vitest", "run", `--project=${project}`, "--passWithNoTests", "--reporter=default", "--reporter=json").concat(
    `--outputFile.json=${path.join(results, `${project}.json`)}`,
  );
const vitestCounts = (project) => () => {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report(project);
  // A file that cannot be loaded fails without a single test of its own.
  const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  return { passed: numPassedTests, failed: numFailedTests + broken, skipped: numPendingTests + numTodoTests };
};
const playwrightCounts = () => {
  const { expected, unexpected, flaky, skipped } = report("journeys").stats;
  return { passed: expected + flaky, failed: unexpected, skipped };
};
const report = (suite) => JSON.parse(fs.readFileSync(path.join(results, `${suite}.json`), "utf8"));

/** `counts`: from the suite's report; without it a suite is one check. `missing`: why it cannot run here. */
const suites = [
  { name: "types", command: bin("tsc", "--noEmit") },
  {
    name: "lint",
    command: bin("biome", "ci", "--error-on-warnings", `--colors=${process.stdout.isTTY ? "force" : "off"}`, "."),
  },
  { name: "imports", command: bin("depcruise", "--config", ".dependency-cruiser.cjs", "app", "drizzle", "inngest") },
  { name: "unused", command: bin("knip") },
  { name: "schema", command: [process.execPath, "scripts/check-schema.mjs"] },
  { name: "openapi", command: [process.execPath, "scripts/check-openapi.mjs"] },
  { name: "contrast", command: [process.execPath, "scripts/check-contrast.mjs"] },
  { name: "unit", command: vitest("unit"), counts: vitestCounts("unit") },
  // In short; `npm run faults` is the long form.
  {
    name: "faults",
    command: bin("tsx", "e2e/faults/run.ts", "--kills", "12", "--months", "3", "--accounts", "25"),
  },
  { name: "build", act: build },
  { name: "contract", command: vitest("contract"), counts: vitestCounts("contract"), needsBuild: true },
  {
    name: "journeys",
    command: bin("playwright", "test"),
    counts: playwrightCounts,
    env: () => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(results, "journeys.json") }),
    needsBuild: true,
    missing: async () =>
      installedChromium() === null && !(await playwrightHasChromium())
        ? 'no Chromium: run "npx playwright install chromium" or "apt-get install chromium", or set CHROMIUM_PATH'
        : null,
  },
];

const playwrightHasChromium = async () => {
  const { chromium: own } = await import("playwright");
  return fs.existsSync(own.executablePath());
};

let buildFailed = false;

const runSuite = async (suite) => {
  heading(suite.name);
  const started = performance.now();
  const outcome = await outcomeOf(suite);
  if (suite.name === "build") buildFailed = outcome.failed > 0;
  return { name: suite.name, seconds: (performance.now() - started) / 1000, ...outcome };
};

const outcomeOf = async (suite) => {
  const nothing = { passed: 0, failed: 0, skipped: 0 };
  const missing = (await suite.missing?.()) ?? null;
  if (missing !== null) return { ...nothing, skipped: 1, reason: missing };
  if (suite.needsBuild && buildFailed) return { ...nothing, failed: 1, reason: "there is no build" };
  if (suite.act) return act(suite.act);

  fs.rmSync(path.join(results, `${suite.name}.json`), { force: true });
  const code = await run(suite.command, suite.env?.() ?? {});
  const counts = suite.counts ? countsOf(suite) : { ...nothing, passed: code === 0 ? 1 : 0 };
  // A run may fail beyond its tests: an unhandled error, a set-up that broke.
  return { ...counts, failed: code !== 0 ? Math.max(1, counts.failed) : counts.failed };
};

const act = async (work) => {
  try {
    await work();
    return { passed: 1, failed: 0, skipped: 0 };
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
};

const countsOf = (suite) => {
  try {
    return suite.counts();
  } catch {
    return { passed: 0, failed: 1, skipped: 0, reason: "it left no report" };
  }
};

const run = ([command, ...args], env) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
    const forward = (signal) => child.kill(signal);
    process.once("SIGTERM", forward);
    child.on("error", (error) => {
      process.stdout.write(`${command} cannot be started: ${error.message}\n`);
      resolve(1);
    });
    child.on("close", (code) => {
      process.off("SIGTERM", forward);
      resolve(code ?? 1);
    });
  });

const heading = (name) => process.stdout.write(`\n── ${name} ${"─".repeat(Math.max(0, 76 - name.length))}\n`);

const lineOf = ({ name, passed, failed, skipped, seconds, reason }) => {
  const verdict = failed > 0 ? "FAIL" : passed === 0 && skipped > 0 ? "skip" : "pass";
  const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`];
  const why = reason ? `  (${reason})` : "";
  return `${verdict}  ${name.padEnd(9)} ${`${seconds.toFixed(1)} s`.padStart(8)}  ${counts.filter(Boolean).join(", ")}${why}`;
};

checkNode();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0)
  fail(`No such suite: ${unknown.join(", ")}. There are: ${suites.map((s) => s.name).join(", ")}.`);
await install().catch((error) => fail(error.message));
fs.mkdirSync(results, { recursive: true });

const chosen = suites.filter(({ name }) => asked.length === 0 || asked.includes(name));
// What runs against the built service needs a build of the present sources.
if (chosen.some((suite) => suite.needsBuild) && !chosen.some(({ name }) => name === "build")) {
  await build().catch((error) => fail(error.message));
}
const outcomes = [];
for (const suite of chosen) outcomes.push(await runSuite(suite));

heading("summary");
for (const outcome of outcomes) process.stdout.write(`${lineOf(outcome)}\n`);
const sum = (key) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}\n`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
