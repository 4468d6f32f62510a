/** The page, the data and the goals of `http.ts`. */
import { type Absence, type Contestant, names, type Size, sizes } from "./contestants.ts";
import type { Schedule } from "./http.ts";
import type { Measurement } from "./load.ts";
import type { Memory } from "./processes.ts";
import { machineInWords, type Spread, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { print } from "./stage.ts";

export type Sample = Measurement &
  Memory & {
    /** CPU time of a request, in microseconds. */
    cpuMicros: { node: number; postgres: number; redis: number };
    /** Of the load generator. */
    generatorCores: number;
    /** Of everything on the machine that has nothing to do with the benchmark. */
    otherCores: number;
  };

/** One contestant's answer of one size at a number of connections, and a sample of each round. */
export type Case = { contestant: Contestant; size: Size; connections: number; samples: Sample[] };

type Results = {
  isQuick: boolean;
  schedule: Schedule;
  accounts: number;
  /** In milliseconds. */
  fsync: Spread;
  cases: Case[];
  absent: Absence[];
  bodyBytes: Record<Size, number>;
};

export const report = (results: Results): void => {
  const { isQuick, schedule, accounts, fsync, cases, absent, bodyBytes } = results;
  const goals = goalsOf(results);
  const goalTable = table(
    ["goal", "measured", "holds"],
    goals.map(({ goal, measured, holds }) => [goal, measured, holds]),
  );
  const pageOf = (level: string) => `${goalTable}

${sectionsOf(results, level)}`;
  print(`\n${pageOf("#")}\n\n${memoryTable(cases)}\n`);
  for (const { goal, measured, holds } of goals) print(`${goal}: ${measured} – ${holds}`);

  const otherCores = spreadOf(cases.flatMap(({ samples }) => samples.map((sample) => sample.otherCores)));
  const page = `# Route data by key, beside other servers

Median of ${schedule.rounds} interleaved rounds of ${schedule.seconds} s (smallest–largest of them). [How to read this](../README.md#http).

${pageOf("##")}

## Memory of the server's process, in MB

The median during the rounds, and the most it ever had (VmHWM).

${memoryTable(cases)}

## Conditions

- ${machineInWords()}. Other load during the rounds: ${spreadInWords(otherCores)} cores.
- fsync of 8 KB on this disk: ${spreadInWords(fsync)} ms.
- ${accounts} enterprise accounts take turns. The answers have ${bodyBytes.small.toLocaleString("en-US")} and ${bodyBytes.large.toLocaleString("en-US")} bytes.
- The database writes durably: \`fsync\` and \`synchronous_commit\` are on.
${absent.map(({ name, reason }) => `- Not measured: ${name}; ${reason}.`).join("\n")}`;
  const data = cases.map(({ contestant, size, connections, samples }) => ({
    contestant: contestant.name,
    size,
    connections,
    samples,
  }));
  const name = isQuick ? "http-quick" : "http";
  writeResults(name, { schedule, accounts, bodyBytes, fsync, otherCores, absent, goals, cases: data }, page.trimEnd());
};

/** A table for each size and number of connections. */
const sectionsOf = ({ cases, bodyBytes }: Results, level: string): string => {
  const connectionCounts = [...new Set(cases.map(({ connections }) => connections))].toReversed();
  return connectionCounts
    .flatMap((connections) =>
      sizes.map((size) => {
        const rows = cases.filter((each) => each.size === size && each.connections === connections);
        return `${level} ${kilobytes(bodyBytes[size])}, ${connections} ${connections === 1 ? "connection" : "connections"}

${caseTable(rows)}`;
      }),
    )
    .join("\n\n");
};

const caseTable = (cases: Case[]): string => {
  const [base] = cases.filter(({ contestant }) => contestant.name === names.ours);
  if (!base) throw new Error("Our own server was not measured");
  const rows = cases.map((each) => [
    each.contestant.name,
    spreadInWords(spreadIn(each, ({ perSecond }) => perSecond)),
    spreadInWords(ratioOf(base, each, ({ perSecond }) => perSecond)),
    spreadInWords(spreadIn(each, ({ p50Ms }) => p50Ms)),
    spreadInWords(spreadIn(each, ({ p99Ms }) => p99Ms)),
    spreadInWords(spreadIn(each, ({ cpuMicros }) => cpuMicros.node)),
    spreadInWords(spreadIn(each, ({ cpuMicros }) => cpuMicros.postgres)),
    spreadInWords(spreadIn(each, ({ cpuMicros }) => cpuMicros.redis)),
    spreadIn(each, ({ generatorCores }) => generatorCores).median.toFixed(2),
  ]);
  const header = ["server", "requests a second", "ours ÷ this", "p50, ms", "p99, ms"];
  return table([...header, "CPU µs: node", "PostgreSQL", "Redis", "load generator, cores"], rows);
};

const memoryTable = (cases: Case[]): string => {
  const contestants = new Set(cases.map(({ contestant }) => contestant));
  const rows = [...contestants].map((contestant) => {
    const samples = cases.filter((each) => each.contestant === contestant).flatMap((each) => each.samples);
    const rss = spreadOf(samples.map(({ rssMegabytes }) => rssMegabytes)).median;
    const peak = Math.max(...samples.map(({ peakMegabytes }) => peakMegabytes));
    return [contestant.name, rss.toFixed(0), peak.toFixed(0)];
  });
  return table(["server", "RSS, median", "peak"], rows);
};

// ── Goals ───────────────────────────────────────────────────────────────────────────────────────────

type Goal = { goal: string; measured: string; holds: "holds" | "does not hold" | "not measured" };

/** On a disk slower than this, one connection waits for the disk. */
const fastFsyncMs = 1;

const goalsOf = ({ cases, fsync }: Results): Goal[] => {
  const find = (name: string, size: Size, connections: number) =>
    cases.find((each) => each.contestant.name === name && each.size === size && each.connections === connections);
  const perSecond = (sample: Sample) => sample.perSecond;
  const atLeast = (least: number, own: string, other: string, size: Size): Goal => {
    const [numerator, denominator] = [find(own, size, 64), find(other, size, 64)];
    const goal = `${own} ≥ ${least} × ${other}, ${inWords[size]}, 64 connections`;
    if (!numerator || !denominator) return { goal, measured: "–", holds: "not measured" };
    const ratio = ratioOf(numerator, denominator, perSecond);
    return { goal, measured: spreadInWords(ratio), holds: verdict(ratio.median >= least) };
  };
  const alone = find(names.ours, "large", 1);
  const tails = sizes.flatMap((size) => find(names.ours, size, 64) ?? []);
  return [
    ...sizes.map((size) => atLeast(20, names.ours, names.betterAuth, size)),
    ...sizes.map((size) => atLeast(1, names.ours, names.fastifyRateLimit, size)),
    ...sizes.map((size) => atLeast(1, names.oursWithRedis, names.fastifyRateLimitRedis, size)),
    atLeast(0.45, names.ours, names.bareFastify, "small"),
    atLeast(0.35, names.ours, names.bareFastify, "large"),
    ...(alone ? [oneConnection(spreadIn(alone, perSecond), fsync)] : []),
    ...tails.map((each) => {
      const ratio = spreadIn(each, ({ p50Ms, p99Ms }) => p99Ms / p50Ms);
      const goal = `${names.ours}: p99 < 3 × p50, ${inWords[each.size]}, 64 connections`;
      return { goal, measured: spreadInWords(ratio), holds: verdict(ratio.median < 3) };
    }),
  ];
};

const oneConnection = (perSecond: Spread, fsync: Spread): Goal => {
  const commits = `${spreadInWords(perSecond)}; fsync takes ${spreadInWords(fsync)} ms`;
  const isFast = fsync.median < fastFsyncMs;
  return {
    goal: `${names.ours} ≥ 600 requests a second, ${inWords.large}, 1 connection, where fsync takes less than 1 ms`,
    measured: isFast ? commits : `${commits}: the disk is too slow for this goal`,
    holds: isFast ? verdict(perSecond.median >= 600) : "not measured",
  };
};

const inWords: Record<Size, string> = { small: "2 KB", large: "31 KB" };

const verdict = (holds: boolean): Goal["holds"] => (holds ? "holds" : "does not hold");

// ── Figures ─────────────────────────────────────────────────────────────────────────────────────────

const spreadIn = ({ samples }: Case, figure: (sample: Sample) => number): Spread => spreadOf(samples.map(figure));

/** Of samples of the same round. */
const ratioOf = (numerator: Case, denominator: Case, figure: (sample: Sample) => number): Spread =>
  spreadOf(
    numerator.samples.map((sample, round) => {
      const other = denominator.samples[round];
      if (!other) throw new Error("A round is incomplete");
      return figure(sample) / figure(other);
    }),
  );

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(0)} KB`;
