import cluster from "node:cluster";
import type { Closers } from "#app/platform/closers.ts";
import type { Config } from "#app/platform/env.server.ts";
import { requirePatches } from "#app/platform/patches.server.ts";
import { announcement } from "./announce.ts";
import { prepareDatabase } from "./database.ts";
import { probePort } from "./listen.ts";
import { serveMetrics } from "./metrics-server.ts";
import { startWorkers } from "./primary.ts";
import { type Serving, serve } from "./serve.ts";
import { serveAsWorker } from "./worker.ts";

/**
 * Starts the service, from the database to the last line of the announcement. With several workers this process is their
 * primary: it prepares the database and starts them, and they serve.
 *
 * @param closers gets everything that was started, so that a start that fails or is interrupted closes it too
 * @param fail ends the service that has started
 * @throws Trouble, PostgresTrouble, MissingPatch
 */
export const start = async (config: Config, closers: Closers, fail: (error: Error) => void): Promise<void> => {
  requirePatches();
  if (cluster.isWorker) return serveAsWorker(config, closers);
  await probePort(config);
  const demo = await prepareDatabase(config, closers, log);
  const { address, lines } =
    config.workers > 1 ? await serveWithWorkers(config, closers, fail) : await serveHere(config, closers);
  for (const line of announcement(config, address, demo, lines)) log(line);
};

const serveWithWorkers = async (config: Config, closers: Closers, fail: (error: Error) => void): Promise<Serving> => {
  const { serving, scrape } = await startWorkers(config.workers, closers, { fail, log });
  await serveMetrics(config.metrics, closers, scrape);
  return serving;
};

const serveHere = async (config: Config, closers: Closers): Promise<Serving> => {
  let scrape: (() => Promise<string>) | undefined;
  const serving = await serve(config, closers, {
    schedules: true,
    onService: ({ metricsText }) => {
      scrape = metricsText;
    },
  });
  if (scrape) await serveMetrics(config.metrics, closers, scrape);
  return serving;
};

const log = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
