import cluster from "node:cluster";
import type { Closers } from "#app/platform/closers.ts";
import type { Config } from "#app/platform/env.server.ts";
import { requirePatches } from "#app/platform/patches.server.ts";
import { announcement } from "./announce.ts";
import { prepareDatabase } from "./database.ts";
import { probePort } from "./listen.ts";
import { startWorkers } from "./primary.ts";
import { serve } from "./serve.ts";
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
    config.workers > 1
      ? await startWorkers(config.workers, closers, { fail, log })
      : await serve(config, closers, { schedules: true });
  for (const line of announcement(config, address, demo, lines)) log(line);
};

const log = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
