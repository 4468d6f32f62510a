/** Runs as many suites at a time as there are cores, and prints a summary. A failure does not stop the rest. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openTestServer } from "#app/testing/test-server.ts";
import { openMemoryFolder } from "./memory-folder.ts";
import { heading, type Output, outputsInOrder, type Print } from "./output.ts";
import { type Counts, type Results, reportOf, resultsFolder, type Suite, serviceLogsFolder, suites } from "./suites.ts";

type Outcome = Results & { name: string; seconds: number; reason?: string };

/** As shells report Ctrl-C. */
const interruptedCode = 130;

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 };

/**
 * @param names the suites to run, with those that they need; all if empty
 * @returns the exit code
 */
export const testSuites = async (names: string[]): Promise<number> => {
  const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`No such suite: ${unknown.join(", ")}. There are: ${suites.map((s) => s.name).join(", ")}.\n`);
    return 1;
  }
  const needed = suites.filter(({ name }) => names.includes(name)).flatMap(({ needs = [] }) => needs);
  const chosen = suites.filter(({ name }) => names.length === 0 || names.includes(name) || needed.includes(name));
  fs.mkdirSync(resultsFolder, { recursive: true });
  fs.rmSync(serviceLogsFolder, { recursive: true, force: true });
  fs.mkdirSync(serviceLogsFolder, { recursive: true });

  const started = performance.now();
  const usesDatabase = chosen.some((suite) => suite.usesDatabase);
  const memory = usesDatabase ? openMemoryFolder() : null;
  Object.assign(process.env, memory?.env);
  // An interrupted run still gives its memory back. A second signal ends it at once.
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  // Held for the whole run, so that no suite stops the server while another uses it.
  const server = usesDatabase ? await openTestServer() : null;
  try {
    const outcomes = await runAll(chosen, { signal: interruption.signal });
    const code = summary(outcomes, (performance.now() - started) / 1000);
    return interruption.signal.aborted ? interruptedCode : code;
  } finally {
    await server?.stop();
    memory?.remove();
  }
};

/**
 * Starts the suites in order, each as soon as there is a core for it and its dependencies are done.
 *
 * @param options.signal once it is aborted, no further suite starts
 */
export const runAll = async (
  chosen: readonly Suite[],
  { cores = os.availableParallelism(), print, signal }: { cores?: number; print?: Print; signal?: AbortSignal } = {},
): Promise<Outcome[]> => {
  const outputs = outputsInOrder(
    chosen.map(({ name }) => name),
    print,
  );
  const outcomes = new Map<string, Outcome>();
  const waiting = [...chosen];
  const running = new Map<string, Promise<void>>();
  const mayStart = () => waiting.length > 0 && !signal?.aborted;
  while (running.size > 0 || mayStart()) {
    const next =
      running.size < cores && mayStart()
        ? waiting.findIndex(({ needs = [] }) => needs.every((name) => outcomes.has(name)))
        : -1;
    const [suite] = next === -1 ? [] : waiting.splice(next, 1);
    if (!suite) {
      await Promise.race(running.values());
      continue;
    }
    const output = outputs(suite.name);
    const missed = suite.needs?.find((name) => (outcomes.get(name)?.failed ?? 0) > 0);
    const work = runSuite(suite, output, missed).then((outcome) => {
      outcomes.set(suite.name, outcome);
      running.delete(suite.name);
      output.end();
    });
    running.set(suite.name, work);
  }
  return chosen.flatMap(({ name }) => outcomes.get(name) ?? []);
};

const runSuite = async (suite: Suite, output: Output, missed?: string): Promise<Outcome> => {
  const started = performance.now();
  const ended = (outcome: Results & { reason?: string }): Outcome => ({
    name: suite.name,
    seconds: (performance.now() - started) / 1000,
    ...outcome,
  });
  const reason = suite.missing?.() ?? null;
  if (reason !== null) return ended({ ...nothing, skipped: 1, reason });
  if (missed) return ended({ ...nothing, failed: 1, reason: `"${missed}" failed` });

  fs.rmSync(reportOf(suite.name), { force: true });
  const last: string[] = [];
  const write = (chunk: Buffer) => {
    output.write(chunk);
    last.push(
      ...chunk
        .toString()
        .split("\n")
        .filter((line) => line.trim() !== ""),
    );
    last.splice(0, last.length - lastLines);
  };
  const code = await run(suite, write);
  const counts = suite.counts ? countsOf(suite.counts) : { ...nothing, passed: code === 0 ? 1 : 0 };
  // A run may fail beyond its tests: an unhandled error, a set-up that broke.
  if (code === 0) return ended(counts);
  const { failures = [] } = counts;
  return ended({ ...counts, failed: Math.max(1, counts.failed), failures: failures.length > 0 ? failures : last });
};

/** How much the summary repeats of what a failed suite printed, where no report names its failures. */
const lastLines = 5;

const countsOf = (counts: () => Results): Results & { reason?: string } => {
  try {
    return counts();
  } catch {
    return { ...nothing, failed: 1, reason: "it left no report" };
  }
};

const run = ({ command: [program, ...args], env }: Suite, write: Output["write"]) =>
  new Promise<number>((resolve) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        SERVICE_LOGS: path.resolve(serviceLogsFolder),
        ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}),
        ...env,
      },
    });
    child.stdout.on("data", write);
    child.stderr.on("data", write);
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    process.once("SIGTERM", forward);
    child.on("error", (error) => {
      write(Buffer.from(`${program} cannot be started: ${error.message}\n`));
      resolve(1);
    });
    child.on("close", (code) => {
      process.off("SIGTERM", forward);
      resolve(code ?? 1);
    });
  });

const summary = (outcomes: Outcome[], seconds: number): number => {
  const sum = (key: keyof Counts) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const skipped = sum("skipped") > 0 ? `, ${sum("skipped")} skipped` : "";
  const lines = [...outcomes.map(lineOf), `      total     ${inSeconds(seconds)}`];
  process.stdout.write(`${heading("summary")}${lines.join("\n")}\n`);
  const failures = outcomes.flatMap(({ name, failures = [] }) => failures.map((failure) => `${name}: ${failure}`));
  if (failures.length > 0) process.stdout.write(`\n${failures.join("\n")}\n`);
  process.stdout.write(`\n${sum("passed")} passed, ${sum("failed")} failed${skipped}\n`);
  return sum("failed") > 0 ? 1 : 0;
};

const lineOf = ({ name, passed, failed, skipped, seconds, reason }: Outcome): string => {
  const verdict = failed > 0 ? "FAIL" : passed === 0 && skipped > 0 ? "skip" : "pass";
  const counts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`];
  const why = reason ? `  (${reason})` : "";
  return `${verdict}  ${name.padEnd(9)} ${inSeconds(seconds)}  ${counts.filter(Boolean).join(", ")}${why}`;
};

const inSeconds = (seconds: number): string => `${seconds.toFixed(1)} s`.padStart(8);
