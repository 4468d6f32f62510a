/**
 * How long it takes until all renewals of one day are charged and all their receipts are sent, at 1, 10, 100 and 1,000
 * times 100,000 renewals. A simulation of discrete events, with the costs that `npm run bench -- scale` measured.
 *
 * The sweep: `--concurrency` workers share the CPU of one process. Each renewal takes CPU time before and after the charge,
 * and the provider's answer in between. The provider accepts `--provider-limit` charges a second, and settlements wait for
 * each other at the invoice counter. The queue: each renewal adds a mail when it is settled; `--senders` processes send one
 * at a time.
 */
import { readFileSync } from "node:fs";
import { table } from "./results.ts";

const defaults = {
  /** Renewals that are due at once, at 1 x. */
  due: 100_000,
  concurrency: 16,
  /** Of a charge, until the provider answers. */
  "latency-ms": 300,
  /** Node's CPU time for a renewal. */
  "cpu-ms": 10,
  /** How long a settlement holds the counter of invoice numbers. */
  "counter-ms": 4,
  /** Charges that the provider accepts in a second. */
  "provider-limit": 100,
  /** Of a mail, until the mail server has accepted it. */
  "mail-ms": 50,
  senders: 1,
};

type Parameters = typeof defaults;

export const run = async (options: string[] = []): Promise<void> => {
  const parameters = { ...defaults, ...measured(), ...given(options) };
  const used = Object.entries(parameters).map(([name, value]) => `--${name} ${value}`);
  const rows = [1, 10, 100, 1_000].flatMap((factor) =>
    [parameters.concurrency, parameters.concurrency * 4].map((concurrency) => {
      const { chargedMs, mailedMs, bottleneck } = simulate({
        ...parameters,
        concurrency,
        due: parameters.due * factor,
      });
      const due = (parameters.due * factor).toLocaleString("en-GB");
      return [`${factor} x`, due, String(concurrency), inWords(chargedMs), inWords(mailedMs), bottleneck];
    }),
  );
  const header = ["size", "due renewals", "at a time", "charged after", "receipts sent after", "limited by"];
  process.stdout.write(`${used.join(" ")}\n\n${table(header, rows)}\n`);
};

/** The costs of the last measurement. */
const measured = (): Partial<Parameters> => {
  try {
    const { renewals } = JSON.parse(readFileSync(new URL("results/scale.json", import.meta.url), "utf8"));
    return { "cpu-ms": Math.round(renewals.nodeMs * 10) / 10 };
  } catch {
    return {};
  }
};

/** @throws Error for an unknown option, or one without a number */
const given = (options: string[]): Partial<Parameters> => {
  const values: Partial<Parameters> = {};
  for (let index = 0; index < options.length; index += 2) {
    const name = options[index]?.replace(/^--/, "") ?? "";
    const value = Number(options[index + 1]);
    if (!(name in defaults) || !(value > 0)) {
      throw new Error(
        `Options are ${Object.keys(defaults)
          .map((each) => `--${each} NUMBER`)
          .join(" ")}`,
      );
    }
    values[name as keyof Parameters] = value;
  }
  return values;
};

/** More than this are not simulated one by one: the rate is constant by then. */
const mostEvents = 200_000;

const simulate = (parameters: Parameters): { chargedMs: number; mailedMs: number; bottleneck: string } => {
  const count = Math.min(parameters.due, mostEvents);
  const scale = parameters.due / count;
  const { settledAtMs, busyMs } = sweep({ ...parameters, due: count });
  const chargedMs = Math.max(...settledAtMs.slice(-parameters.concurrency));
  const mailedMs = sendAll(settledAtMs, parameters);
  return { chargedMs: chargedMs * scale, mailedMs: mailedMs * scale, bottleneck: bottleneckOf(busyMs, chargedMs) };
};

const resources = ["cpu", "provider", "counter"] as const;
type Resource = (typeof resources)[number];

/** Each resource serves one renewal at a time, in the order of their arrival. */
const sweep = (parameters: Parameters): { settledAtMs: number[]; busyMs: Record<Resource, number> } => {
  const freeAtMs: Record<Resource, number> = { cpu: 0, provider: 0, counter: 0 };
  const busyMs: Record<Resource, number> = { cpu: 0, provider: 0, counter: 0 };
  const use = (resource: Resource, fromMs: number, forMs: number): number => {
    freeAtMs[resource] = Math.max(fromMs, freeAtMs[resource]) + forMs;
    busyMs[resource] += forMs;
    return freeAtMs[resource];
  };
  const steps: ((atMs: number) => number)[] = [
    (atMs) => use("cpu", atMs, parameters["cpu-ms"] / 2),
    (atMs) => use("provider", atMs, 1_000 / parameters["provider-limit"]),
    (atMs) => atMs + parameters["latency-ms"],
    (atMs) => use("cpu", atMs, parameters["cpu-ms"] / 2),
    (atMs) => use("counter", atMs, parameters["counter-ms"]),
  ];
  const settledAtMs: number[] = [];
  let begun = Math.min(parameters.concurrency, parameters.due);
  const waiting = new EventQueue();
  for (let worker = 0; worker < begun; worker++) waiting.add({ atMs: 0, step: 0 });
  for (let event = waiting.next(); event; event = waiting.next()) {
    const step = steps[event.step];
    if (step) {
      waiting.add({ atMs: step(event.atMs), step: event.step + 1 });
      continue;
    }
    settledAtMs.push(event.atMs);
    if (begun === parameters.due) continue;
    begun += 1;
    waiting.add({ atMs: event.atMs, step: 0 });
  }
  return { settledAtMs, busyMs };
};

/** @returns when the last mail is sent */
const sendAll = (queuedAtMs: number[], parameters: Parameters): number => {
  const freeAtMs = Array.from({ length: parameters.senders }, () => 0);
  for (const [index, atMs] of queuedAtMs.entries()) {
    const sender = index % freeAtMs.length;
    freeAtMs[sender] = Math.max(atMs, freeAtMs[sender] ?? 0) + parameters["mail-ms"];
  }
  return Math.max(...freeAtMs);
};

const inNames = { cpu: "CPU of one process", provider: "limit of the provider", counter: "invoice counter" } as const;

const bottleneckOf = (busyMs: Record<Resource, number>, chargedMs: number): string => {
  const busiest = resources.toSorted((a, b) => busyMs[b] - busyMs[a])[0] ?? "cpu";
  return busyMs[busiest] > 0.9 * chargedMs ? inNames[busiest] : "the provider's answers";
};

const inWords = (ms: number): string => {
  const minutes = ms / 60_000;
  if (minutes < 90) return `${minutes.toFixed(0)} minutes`;
  const hours = minutes / 60;
  return hours < 48 ? `${hours.toFixed(1)} hours` : `${(hours / 24).toFixed(1)} days`;
};

type Event = { atMs: number; step: number };

/** A binary heap: the earliest event first. */
class EventQueue {
  readonly #events: Event[] = [];

  add(event: Event): void {
    const events = this.#events;
    let index = events.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if ((events[parent] as Event).atMs <= event.atMs) break;
      events[index] = events[parent] as Event;
      index = parent;
    }
    events[index] = event;
  }

  next(): Event | undefined {
    const events = this.#events;
    const [first] = events;
    const last = events.pop();
    if (!last || events.length === 0) return first;
    let index = 0;
    for (let child = 1; child < events.length; child = 2 * index + 1) {
      if (child + 1 < events.length && (events[child + 1] as Event).atMs < (events[child] as Event).atMs) child += 1;
      if ((events[child] as Event).atMs >= last.atMs) break;
      events[index] = events[child] as Event;
      index = child;
    }
    events[index] = last;
    return first;
  }
}
