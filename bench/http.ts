/**
 * Route data by key, beside the servers of bench/contestants/: same machine, same PostgreSQL and Redis, same bytes, in
 * interleaved rounds, so that other load on the machine affects all of them. README.md says how to read the result.
 *
 * Rate limits stay on and 400 accounts take turns. A response other than 200 ends the run.
 */
import { type Contestant, type Field, type Size, sizes, startContestants } from "./contestants.ts";
import { measureFsync } from "./fsync.ts";
import { type Case, report, type Sample } from "./http-report.ts";
import { type LoadGenerator, startLoadGenerator } from "./load-generator.ts";
import { hasProc, memoryOf, takeCpuSnapshot } from "./processes.ts";
import { prepareReading } from "./readers.ts";
import { openStage, print } from "./stage.ts";

const accounts = 400;
const connectionCounts = [1, 16, 64];

export type Schedule = { rounds: number; seconds: number; warmUpSeconds: number };
const schedules = {
  full: { rounds: 5, seconds: 1.5, warmUpSeconds: 1 },
  quick: { rounds: 2, seconds: 0.4, warmUpSeconds: 0.3 },
} satisfies Record<string, Schedule>;

export const run = async (options: string[]): Promise<void> => {
  if (!hasProc) throw new Error("This benchmark reads CPU times from /proc, so it needs Linux.");
  const isQuick = options.includes("--quick");
  const schedule: Schedule = { ...schedules[isQuick ? "quick" : "full"], ...roundsIn(options) };
  const stage = await openStage();
  const closers: (() => Promise<void>)[] = [() => stage.close()];
  try {
    const fsync = measureFsync(stage.folder);
    print(`Creating ${accounts} accounts`);
    const reading = await prepareReading(stage, accounts);
    print("Starting the contestants");
    const field = await startContestants(stage, reading, closers);
    const generator = startLoadGenerator();
    closers.push(generator.stop);
    const measureCase = (each: Case, seconds: number) =>
      measure(each, seconds, { generator, postgresPid: stage.postgresPid, redisPid: field.redisPid });

    const cases = casesOf(field);
    print("Warming up");
    for (const each of cases) await measureCase(each, schedule.warmUpSeconds);
    for (let round = 1; round <= schedule.rounds; round++) {
      print(`Round ${round} of ${schedule.rounds}`);
      // Backwards every other round, so that no case always follows the same one.
      for (const each of round % 2 === 0 ? cases.toReversed() : cases) {
        each.samples.push(await measureCase(each, schedule.seconds));
      }
    }
    report({ isQuick, schedule, accounts, fsync, cases, absent: field.absent, bodyBytes: field.bodyBytes });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
};

/** `--rounds 3`, on a machine with little time. */
const roundsIn = (options: string[]): { rounds?: number } => {
  const place = options.indexOf("--rounds");
  if (place === -1) return {};
  const rounds = Number(options[place + 1]);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("How many rounds? npm run bench -- http --rounds 3");
  return { rounds };
};

const casesOf = ({ contestants }: Field): Case[] =>
  connectionCounts.flatMap((connections) =>
    sizes.flatMap((size: Size) =>
      contestants.map((contestant: Contestant) => ({ contestant, size, connections, samples: [] })),
    ),
  );

type Meters = { generator: LoadGenerator; postgresPid: number; redisPid: number | null };

const measure = async (
  { contestant, size, connections }: Case,
  seconds: number,
  { generator, postgresPid, redisPid }: Meters,
): Promise<Sample> => {
  const { pid, port, callers } = contestant;
  const limits = { connections, seconds, mostRequests: Number.POSITIVE_INFINITY };
  const before = takeCpuSnapshot();
  const startedAt = performance.now();
  const { generatorCpuSeconds, ...load } = await generator.run({ port, path: contestant.path(size), callers, limits });
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const after = takeCpuSnapshot();

  const cpuSeconds = (...pids: number[]) => after.secondsOf(...pids) - before.secondsOf(...pids);
  const microsARequest = (...pids: number[]) => (cpuSeconds(...pids) * 1_000_000) / load.requests;
  const ownSeconds = cpuSeconds(process.pid, postgresPid);
  return {
    ...load,
    cpuMicros: {
      node: microsARequest(pid),
      postgres: microsARequest(postgresPid),
      redis: redisPid === null ? 0 : microsARequest(redisPid),
    },
    ...memoryOf(pid),
    generatorCores: generatorCpuSeconds / elapsedSeconds,
    otherCores: Math.max(0, after.machineSeconds - before.machineSeconds - ownSeconds) / elapsedSeconds,
  };
};
