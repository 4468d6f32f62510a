/** A worker: one of several processes that serve requests on the same port. `primary.ts` starts it and looks after it. */
import cluster from "node:cluster";
import type { Closers } from "#app/platform/closers.ts";
import type { Config } from "#app/platform/env.server.ts";
import { answerPrimary, type MetricsMessage } from "./collect-metrics.ts";
import { type Serving, serve } from "./serve.ts";

/** What a worker tells the primary. */
export type WorkerMessage =
  | ({ kind: "serving" } & Serving)
  | { kind: "stopped"; unfinished: string[] }
  | MetricsMessage;

/** The variable with the worker's number, from 1. A worker that takes the place of a dead one has the same number. */
export const workerNumber = "SERVICE_WORKER";

/** The first worker also runs the scheduled work. */
export const serveAsWorker = async (config: Config, closers: Closers): Promise<void> => {
  const serving = await serve(config, closers, {
    schedules: process.env[workerNumber] === "1",
    onService: (service) => answerPrimary(service, tellPrimary),
  });
  await tellPrimary({ kind: "serving", ...serving });
};

/** Resolves when the message has been handed over. */
export const tellPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.connected) process.send?.(message, () => resolve());
    else resolve();
  });

/** Resolves when the primary has died. Node would otherwise end the worker at once, in the middle of its requests. */
export const endOfPrimary = (): Promise<string> =>
  new Promise((resolve) => {
    cluster.worker?.once("disconnect", () => {
      if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
      resolve("the end of the primary process");
    });
  });
