/** The primary process: keeps the workers running and stops them. Node distributes the connections among them in turn. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { type Closers, counted } from "#app/platform/closers.ts";
import { workerRestarts } from "#app/platform/metrics/metrics.ts";
import { v8Flags } from "#app/platform/v8-flags.ts";
import { pathInCheckout } from "./checkout.ts";
import { metricsCollector } from "./collect-metrics.ts";
import { deathsAfter, noDeaths, restartDelayMs } from "./restarts.ts";
import type { Serving } from "./serve.ts";
import { stopLimitsMs } from "./stop-limits.ts";
import { Trouble } from "./trouble.ts";
import { type WorkerMessage, workerNumber } from "./worker.ts";

type Options = {
  /** Ends the service: called if a worker cannot start, and later if none can be started in a dead one's place. */
  fail(error: Error): void;
  log(line: string): void;
};

/** Resolves when all workers serve. One that dies after that is replaced, with backoff. */
export const startWorkers = async (
  count: number,
  closers: Closers,
  { fail, log }: Options,
): Promise<{ serving: Serving; scrape(): Promise<string> }> => {
  cluster.setupPrimary({
    exec: pathInCheckout("scripts", "serve.mjs"),
    args: [],
    execArgv: [...v8Flags],
    cwd: pathInCheckout(),
  });
  const running = new Map<Worker, number>();
  const collector = metricsCollector(running);
  const unfinished: string[] = [];
  let allServe = false;
  let stopping = false;

  const keepRunning = (number: number, onServing: (serving: Serving) => void, deaths = noDeaths): void => {
    const worker = cluster.fork({ [workerNumber]: String(number) });
    const startedAt = performance.now();
    let hasServed = false;
    running.set(worker, number);
    worker.on("message", (message: WorkerMessage) => {
      if (message.kind === "stopped") {
        unfinished.push(...message.unfinished);
      } else if (message.kind === "collected" || message.kind === "scrape") {
        collector.onMessage(worker, message);
      } else {
        hasServed = true;
        onServing(message);
      }
    });
    worker.once("exit", (code, signal) => {
      running.delete(worker);
      if (stopping) return;
      const soFar = deathsAfter(deaths, { livedMs: performance.now() - startedAt, hasServed });
      const delayMs = allServe ? restartDelayMs(soFar) : null;
      workerRestarts.add({});
      const ended = `Worker ${number} ended (${signal ?? `code ${code}`})`;
      if (delayMs === null) {
        fail(new Trouble(`${ended} before it could serve. What it said stands above.`));
        return;
      }
      log(`${ended}. Another one starts ${delayMs === 0 ? "now" : `in ${delayMs / 1_000} s`}.`);
      setTimeout(() => {
        if (!stopping) keepRunning(number, onServing, soFar);
      }, delayMs);
    });
  };

  closers.add({
    limitMs: stopLimitsMs.requests + stopLimitsMs.service + 1_500,
    close: async () => {
      stopping = true;
      await Promise.all([...running.keys()].map(stopWorker));
      return unfinished;
    },
    whenLate: () => {
      for (const { process } of running.keys()) process.kill("SIGKILL");
      return [...unfinished, ...counted(running.size, "worker")];
    },
  });

  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const start = (number: number) => new Promise<Serving>((resolve) => keepRunning(number, resolve));
  const [serving] = await Promise.all(numbers.map(start));
  if (!serving) throw new Error("There are no workers");
  allServe = true;
  return { serving, scrape: collector.scrape };
};

/** The messages of a worker have arrived when its channel is closed, which may be after its end. */
const stopWorker = async (worker: Worker): Promise<void> => {
  const ended = Promise.all([once(worker, "exit"), once(worker, "disconnect")]);
  // `worker.kill` would close the channel first.
  worker.process.kill("SIGTERM");
  await ended;
};
