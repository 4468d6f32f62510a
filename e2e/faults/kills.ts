/**
 * `npm run faults -- --only kills --kills 1000 --processes 4` kills processes of the built service at random moments while
 * clients read and buy, and starts them again. Three in four moments are chosen while a purchase is in progress. One process in
 * eight is stopped with SIGTERM instead. In the end it compares what was acknowledged and paid with what the database holds.
 * `--minutes` ends it earlier. It exits with 1 when anything was lost or is there twice.
 */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import os from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { seededRandom } from "#app/domain/schedules/demo/seeded-random.ts";
import { auditBooks } from "./audit/books.ts";
import { auditAll, wrongAnswers } from "./scenarios/scenario.ts";
import { type Act, type Load, recoveryLimitMs, startLoad } from "./stage/load.ts";
import { openStage, type Stage } from "./stage/stage.ts";

const { values: given } = parseArgs({
  options: {
    kills: { type: "string", default: "1000" },
    processes: { type: "string", default: "4" },
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
const tally = { kills: 0, terms: 0, inPurchases: 0, inReads: 0, idle: 0 };
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

const asking = (load: Load, service: number): Set<Act> =>
  new Set([...load.asking].filter((request) => request.service === service).map(({ act }) => act));

const isOfPurchase = ({ act }: { act: Act }): boolean => act === "order" || act === "confirm";
const mostPurchaseActs = 6;

/**
 * A random moment: after none to some acts of purchases have succeeded, however long they take on this machine, and three times
 * in four while the process is at work on another.
 */
const moment = async (load: Load, service: number): Promise<void> => {
  const acts = Math.floor(random() * (mostPurchaseActs + 1));
  const from = load.answers.length;
  const succeeded = () =>
    load.answers
      .slice(from)
      .filter((answer) => answer.service === service && answer.status === 200 && isOfPurchase(answer)).length;
  for (let tries = 0; tries < 200 && succeeded() < acts; tries++) await wait(100);
  await wait(random() * 500);
  if (random() < 1 / 4) return;
  const isBuying = () => [...load.asking].some((request) => request.service === service && isOfPurchase(request));
  for (let tries = 0; tries < 500 && !isBuying(); tries++) await wait(5);
  await wait(random() * 100);
};

const countKill = (acts: Set<Act>): void => {
  tally.kills += 1;
  if (acts.has("order") || acts.has("confirm")) tally.inPurchases += 1;
  else if (acts.has("read")) tally.inReads += 1;
  else tally.idle += 1;
};

/** Ends and replaces one process, again and again. */
const torment = async (stage: Stage, load: Load, service: number): Promise<void> => {
  while (!isOver()) {
    await moment(load, service);
    if (isOver()) return;
    const isKill = random() < 7 / 8;
    if (isKill) countKill(asking(load, service));
    const endedAt = performance.now();
    const { code } = (await stage.services[service]?.terminate(isKill ? "SIGKILL" : "SIGTERM")) ?? {};
    if (!isKill) tally.terms += 1;
    if (!isKill && code !== 0) violations.push(`A process that was told to stop ended with ${code}`);
    const startedAt = performance.now();
    await stage.replace(service);
    if (await untilServed(load, service, startedAt)) returns.push(performance.now() - endedAt);
    else violations.push(`A process did not serve within ${recoveryLimitMs / 1000} s of its start`);
  }
};

/** Counts the answers, by act and status. */
const answersOf = (load: Load): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { act, status } of load.answers) {
    const name = `${act}: ${status}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => a.localeCompare(b)));
};

const pageOf = (counts: [string, number | string][], minutes: number): string => `## Killed while serving

${options.processes} processes of the built service on one PostgreSQL, with readers and buyers at work for ${minutes} minutes. ${tally.kills} times
one was killed with SIGKILL at a random moment, ${tally.terms} times one was told to stop, and each time another took its place.
${tally.kills < options.kills ? `${options.kills} kills were asked for, which did not fit into the time.\n` : ""}\
Buyers whose order was not answered try again; of those whose confirmation was not, every other one leaves it to the
provider's webhook. Seed ${options.seed}; ${os.cpus().length} cores, Node ${process.versions.node}, ${process.platform}.

| counted afterwards | |
| --- | --- |
${counts.map(([what, count]) => `| ${what} | ${count} |`).join("\n")}

${violations.length === 0 ? "0 lost, 0 double." : violations.map((violation) => `- ${violation}`).join("\n")}
`;

const progressOf = (load: Load): string =>
  `  ${tally.kills} of ${options.kills} kills, ${tally.inPurchases} during a purchase; ${load.confirmed.size} payments confirmed`;

const main = async (): Promise<number> => {
  const { processes } = options;
  const stage = await openStage({ processes, readers: processes, buyersEach: 3, withSmallDisk: false });
  const counts: [string, number | string][] = [];
  const startedAt = performance.now();
  let minutes = 0;
  try {
    const load = startLoad(stage);
    const progress = setInterval(() => print(progressOf(load)), 30_000);
    await Promise.all(stage.services.map((_, service) => torment(stage, load, service)));
    clearInterval(progress);
    minutes = Math.round((performance.now() - startedAt) / 60_000);
    await load.stop();
    counts.push(["kills while the process was at work on a purchase", tally.inPurchases]);
    counts.push(["kills while it was at work on reads only", tally.inReads]);
    counts.push(["kills while it had no request of a customer", tally.idle]);
    counts.push(["orders acknowledged", load.ordered.size], ["payments confirmed", load.confirmed.size]);
    for (const [name, count] of answersOf(load)) counts.push([`answers, ${name}`, count]);
    violations.push(...wrongAnswers(load.answers, true));
    for (const complaint of new Set(load.complaints)) violations.push(`A client failed: ${complaint}`);
    const sorted = returns.sort((a, b) => a - b);
    const at = (share: number) => `${((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000).toFixed(1)} s`;
    counts.push(["until another process served, median and longest", `${at(0.5)}, ${at(1)}`]);
    await auditAll(stage, load, {
      violation: (text) => violations.push(text),
      count: (what, count) => counts.push([what, count]),
    });
    counts.push(...(await auditBooks(stage.sql, stage.stripe.sql)).counts);
  } finally {
    await stage.close();
  }
  const page = pageOf(counts, minutes);
  print(`\n${page}`);
  if (given.page) writeFileSync(given.page, page);
  return violations.length === 0 ? 0 : 1;
};

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main();
