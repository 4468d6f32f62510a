/**
 * `npm run faults -- --only kills --kills 1000 --processes 3` kills processes of the built service at random moments while
 * clients read and buy, and starts them again. One in eight is stopped with SIGTERM instead. In the end it compares what was
 * acknowledged and paid with what the database holds. It exits with 1 when anything was lost or is there twice.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { seededRandom } from "#app/domain/schedules/demo/seeded-random.ts";
import { openTestServer } from "#app/testing/test-server.ts";
import { auditBooks } from "./audit/books.ts";
import { auditAll } from "./scenarios/scenario.ts";
import { type Load, recoveryLimitMs, startLoad } from "./stage/load.ts";
import { openStage, type Stage } from "./stage/stage.ts";

const { values: given } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    processes: { type: "string", default: "3" },
    minutes: { type: "string", default: "600" },
    seed: { type: "string" },
    page: { type: "string" },
  },
});
const options = {
  kills: Number(given.kills),
  processes: Number(given.processes),
  minutes: Number(given.minutes),
  seed: given.seed ?? randomBytes(4).toString("hex"),
};
for (const name of ["kills", "processes", "minutes"] as const) {
  if (!Number.isInteger(options[name]) || options[name] < 1)
    throw new RangeError(`--${name} must be a whole number from 1`);
}
const random = seededRandom(options.seed);
const print = (line: string) => process.stdout.write(`${line}\n`);
const violations: string[] = [];
const tally = { kills: 0, terms: 0 };
/** In ms, from the kill until the process that takes its place has answered with success. */
const returns: number[] = [];
const endsAt = performance.now() + options.minutes * 60_000;
const isOver = () => tally.kills >= options.kills || performance.now() > endsAt;

/** Waits until a process has answered a read with success. */
const untilServed = async (load: Load, service: number, since: number): Promise<boolean> => {
  for (const limit = performance.now() + recoveryLimitMs; performance.now() < limit; await wait(20)) {
    const isServed = load.answers
      .slice(-500)
      .some(
        (answer) =>
          answer.service === service && answer.startedAt >= since && answer.act === "read" && answer.status === 200,
      );
    if (isServed) return true;
  }
  return false;
};

/** Ends and replaces one process, again and again. */
const torment = async (stage: Stage, load: Load, service: number): Promise<void> => {
  while (!isOver()) {
    await wait(random() * 1_500);
    const isKill = random() < 7 / 8;
    const endedAt = performance.now();
    const { code } = (await stage.services[service]?.terminate(isKill ? "SIGKILL" : "SIGTERM")) ?? {};
    if (isKill) tally.kills += 1;
    else tally.terms += 1;
    if (!isKill && code !== 0) violations.push(`A process that was told to stop ended with ${code}`);
    const startedAt = performance.now();
    await stage.replace(service);
    if (await untilServed(load, service, startedAt)) returns.push(performance.now() - endedAt);
    else violations.push(`A process did not serve within ${recoveryLimitMs / 1000} s of its start`);
  }
};

const statusesOf = (load: Load): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { status } of load.answers) counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
  return counts;
};

const pageOf = (counts: [string, number | string][]): string => `## Killed while serving

${options.processes} processes of the built service on one PostgreSQL, with readers and buyers at work. ${tally.kills} times one was killed
with SIGKILL at a random moment, ${tally.terms} times one was told to stop, and each time another took its place. Seed ${options.seed}.

| counted afterwards | |
| --- | --- |
${counts.map(([what, count]) => `| ${what} | ${count} |`).join("\n")}

${violations.length === 0 ? "0 lost, 0 double." : violations.map((violation) => `- ${violation}`).join("\n")}
`;

const main = async (): Promise<number> => {
  const server = await openTestServer();
  process.env.TEST_DATABASE_URL = server.adminUrl;
  const stage = await openStage({ processes: options.processes, readers: options.processes * 2 });
  const counts: [string, number | string][] = [];
  try {
    const load = startLoad(stage);
    const progress = setInterval(() => print(`  ${tally.kills} of ${options.kills} kills`), 10_000);
    await Promise.all(stage.services.map((_, service) => torment(stage, load, service)));
    clearInterval(progress);
    await load.stop();
    for (const [status, count] of statusesOf(load)) {
      counts.push([`answers: ${status}`, count]);
      if (!["200", "503", "cut", "refused"].includes(status))
        violations.push(`${count} times the answer was ${status}`);
    }
    for (const complaint of new Set(load.complaints)) violations.push(`A client failed: ${complaint}`);
    const sorted = returns.sort((a, b) => a - b);
    const at = (share: number) => `${((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000).toFixed(1)} s`;
    counts.push(["until another process served, median and longest", `${at(0.5)}, ${at(1)}`]);
    counts.push(...(await auditBooks(stage.sql, stage.stripe.sql)).counts);
    await auditAll(stage, load, {
      violation: (text) => violations.push(text),
      count: (what, count) => counts.push([what, count]),
    });
  } finally {
    await stage.close();
    await server.stop();
  }
  const page = pageOf(counts);
  print(`\n${page}`);
  if (given.page) writeFileSync(given.page, page);
  return violations.length === 0 ? 0 : 1;
};

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main();
