/**
 * The service as a process, or one of its workers: starts, waits for SIGTERM or SIGINT, and stops in order. `npm start` runs
 * it after installing and building; `node --import tsx server/main.ts` runs it alone.
 */
import cluster from "node:cluster";
import { createClosers } from "#app/platform/closers.ts";
import { MissingPatch } from "#app/platform/patches.server.ts";
import { PostgresTrouble } from "#scripts/embedded-postgres/trouble.ts";
import { readSettings } from "./settings.ts";
import { Trouble } from "./trouble.ts";
import { endOfPrimary, tellPrimary } from "./worker.ts";

/** The terminal and npm both pass Ctrl-C on, so that one keystroke arrives as two signals. */
const sameSignalMs = 500;

const main = async (): Promise<void> => {
  const stopSignal = cluster.isWorker ? Promise.race([signalOfPrimary(), endOfPrimary()]) : firstStopSignal();
  let fail: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const closers = createClosers((error) => process.stderr.write(`${stackOf(error)}\n`));
  const starting = (async () => {
    const config = readSettings();
    // Imported late: packages choose their production code by NODE_ENV, which the settings may have set.
    const { start } = await import("./start.ts");
    await start(config, closers, fail);
  })();
  try {
    await Promise.race([starting.then(() => stopSignal), stopSignal, failure]);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
  starting.catch(() => {});
  if (cluster.isWorker) {
    await tellPrimary({ kind: "stopped", unfinished: await closers.closeAll() });
    return;
  }
  process.stdout.write(`Stopping on ${await stopSignal} …\n`);
  const left = await closers.closeAll();
  process.stdout.write(left.length === 0 ? "Stopped.\n" : `Stopped with ${left.join(" and ")} unfinished.\n`);
};

/** Resolves with the first SIGTERM or SIGINT. A second SIGINT ends the process at once. */
const firstStopSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let firstAt: number | null = null;
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstAt === null) {
        firstAt = performance.now();
        resolve(signal);
      } else if (signal === "SIGINT" && performance.now() - firstAt > sameSignalMs) {
        process.exit(130);
      }
    };
    process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  });

/** Ctrl-C in a terminal reaches the workers too. They wait for the primary, which stops them. */
const signalOfPrimary = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    process.on("SIGTERM", resolve).on("SIGINT", () => {});
  });

/** The build has its own instance of the class of invalid settings, such as a missing file of LEGAL_DIR. */
const isForTheOperator = (error: unknown): error is Error =>
  error instanceof Error &&
  ([Trouble, PostgresTrouble, MissingPatch].some((kind) => error instanceof kind) || error.name === "InvalidConfig");

const stackOf = (error: unknown): unknown => (error instanceof Error ? error.stack : error);

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${isForTheOperator(error) ? error.message : stackOf(error)}\n`);
  process.exit(1);
}
