/** What a scenario is, and how one is run: clients at work, the fault, recovery, and the audit. */
import { setTimeout as wait } from "node:timers/promises";
import { auditBooks } from "../audit/books.ts";
import { auditUsage } from "../audit/usage.ts";
import {
  type Act,
  type Answer,
  acts,
  isBusy,
  type Load,
  recoveryLimitMs,
  startLoad,
  whenSteady,
} from "../stage/load.ts";
import type { Stage } from "../stage/stage.ts";

/**
 * What clients get during the fault. `served`: success. `unavailable`: 503 at least once. `either`: both are right. A 503 must
 * say when to retry, and no other failure is right at any time.
 */
type Expected = "served" | "unavailable" | "either";

export type Scenario = {
  name: string;
  /** Part of the short form. */
  isShort: boolean;
  /** How long the fault lasts, in ms. */
  lasts: { short: number; long: number };
  during: Record<Act, Expected>;
  /** Processes end, so connections may be refused, or break before the answer. */
  endsProcesses?: boolean;
  /** Why it cannot be run here; null when it can. */
  missing?(stage: Stage): string | null;
  begin(stage: Stage, note: Note): Promise<unknown> | unknown;
  end(stage: Stage, note: Note): Promise<unknown> | unknown;
  /** Further checks, after recovery, while the clients are still at work. */
  check?(stage: Stage, note: Note): Promise<unknown>;
};

export type Note = {
  violation(text: string): void;
  /** A number for the report. */
  count(what: string, value: number | string): void;
  /** What the clients were answered so far. */
  answers(): readonly Answer[];
};

export type Result = {
  name: string;
  skipped: string | null;
  violations: string[];
  /** Answers during the fault, by act and status. */
  during: string;
  /** The longest time until an answer, over the whole scenario. */
  slowestMs: number;
  /** From the end of the fault until every act succeeded again in every process. */
  recoveryMs: number | null;
  counts: [string, number | string][];
};

export const runScenario = async (stage: Stage, scenario: Scenario, form: "short" | "long"): Promise<Result> => {
  const skipped = scenario.missing?.(stage) ?? null;
  const result: Result = {
    name: scenario.name,
    skipped,
    violations: [],
    during: "",
    slowestMs: 0,
    recoveryMs: null,
    counts: [],
  };
  if (skipped !== null) return result;
  const load = startLoad(stage);
  const note: Note = {
    violation: (text) => result.violations.push(text),
    count: (what, value) => result.counts.push([what, value]),
    answers: () => load.answers,
  };
  let began = performance.now();
  let ended = began;
  try {
    if ((await whenSteady(stage, load, began)) === null)
      note.violation(`Not served before the fault: ${tally(load.answers)}`);
    began = performance.now();
    try {
      await scenario.begin(stage, note);
      await untilAsked(stage, load, performance.now() + scenario.lasts[form], began, scenario);
    } finally {
      ended = performance.now();
      // A fault that has half begun would spoil the scenarios after it.
      await scenario.end(stage, note);
    }
    // Ending it takes its time too: a server has to start.
    const over = performance.now();
    result.recoveryMs = await whenSteady(stage, load, over);
    if (result.recoveryMs === null) {
      const since = load.answers.filter(({ startedAt }) => startedAt >= over);
      note.violation(`Not served again within ${recoveryLimitMs / 1000} s after the fault: ${tally(since)}`);
    }
    await scenario.check?.(stage, note);
  } finally {
    await load.stop();
  }
  const during = load.answers.filter(({ startedAt }) => startedAt >= began && startedAt < ended);
  result.during = tally(during);
  result.slowestMs = Math.max(0, ...load.answers.map(({ ms }) => ms));
  for (const act of acts) checkExpected(scenario, act, during, note);
  for (const wrong of wrongAnswers(load.answers, scenario.endsProcesses ?? false)) note.violation(wrong);
  for (const complaint of new Set(load.complaints)) note.violation(`A client failed: ${complaint}`);
  await auditAll(stage, load, note);
  return result;
};

/** Waits until the time has passed and every act was answered in the fault, which may take as long as its deadline. */
const untilAsked = async (stage: Stage, load: Load, until: number, since: number, scenario: Scenario) => {
  const { during, endsProcesses = false } = scenario;
  const isAnswered = (act: Act) => {
    const own = load.answers.filter((answer) => answer.act === act && answer.startedAt >= since);
    // A process that has ended answers nothing.
    const asked = new Set(own.map(({ service }) => service)).size;
    return endsProcesses ? own.some(({ status }) => status === 200) : asked === stage.services.length;
  };
  // No order, nothing to confirm.
  const awaited = acts.filter((act) => act !== "confirm" || during.order === "served");
  for (const limit = until + 60_000; performance.now() < limit; await wait(20)) {
    if (performance.now() >= until && awaited.every(isAnswered)) return;
  }
};

const checkExpected = (scenario: Scenario, act: Act, during: Answer[], note: Note): void => {
  const own = during.filter((answer) => answer.act === act);
  const expected = scenario.during[act];
  const unavailable = own.filter(({ status }) => status === 503);
  if (expected === "unavailable" && unavailable.length === 0 && own.length > 0) {
    note.violation(`During the fault every ${act} was answered without 503: ${tally(own)}`);
  }
  if (expected !== "served") return;
  if (!own.some(({ status }) => status === 200)) note.violation(`During the fault no ${act} succeeded: ${tally(own)}`);
  const wrong = unavailable.filter((answer) => !isBusy(answer));
  if (wrong.length > 0)
    note.violation(`During the fault ${wrong.length} of ${own.length} ${act}s were unavailable: ${tally(own)}`);
};

export const wrongAnswers = (answers: Answer[], endsProcesses: boolean): string[] => {
  const wrong = answers.filter(({ act, status, retryAfter }) => {
    if (status === 200) return false;
    if (status === 503) return retryAfter === null && act !== "health";
    return !(endsProcesses && (status === "cut" || status === "refused"));
  });
  const kinds = new Map<string, number>();
  for (const { act, status, retryAfter, text } of wrong) {
    const words = text.replace(/\S*\d\S*/g, "…").slice(0, 200);
    const kind = `${act}: ${status}${status === 503 && retryAfter === null ? " without Retry-After" : ""} ${words}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return [...kinds].map(([kind, times]) => `Answered ${times} times, ${kind}`);
};

/** `read 200 × 31, 503/5 × 4; order 503/30 × 2`: 503 has its Retry-After. */
const tally = (answers: Answer[]): string =>
  acts
    .map((act) => {
      const counts = new Map<string, number>();
      for (const { status, retryAfter } of answers.filter((answer) => answer.act === act)) {
        const name = retryAfter === null ? String(status) : `${status}/${retryAfter}`;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      const words = [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([status, times]) => `${status} × ${times}`);
      return words.length === 0 ? "" : `${act} ${words.join(", ")}`;
    })
    .filter((words) => words !== "")
    .join("; ");

/** Nothing that was acknowledged is lost, and nothing is there twice. */
export const auditAll = async (
  stage: Stage,
  load: Omit<Load, "stop">,
  note: Pick<Note, "violation" | "count">,
): Promise<void> => {
  await stage.stripe.redeliver();
  const books = await auditBooks(stage.sql, stage.stripe.sql);
  const usage = await auditUsage(stage.sql, load);
  for (const violation of [...books.violations, ...usage.violations]) note.violation(violation);
  for (const [what, count] of usage.counts) note.count(what, count);
};
