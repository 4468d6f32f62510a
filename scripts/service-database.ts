/** Gives command-line tools the service's database, whether the service runs or not. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Clock, shiftedClock, systemClock } from "../app/domain/clock.ts";
import { Refusal } from "../app/domain/errors.ts";
import { readTestClock } from "../app/domain/test-mode/test-clock.server.ts";
import { commandWaitMs, type Db, openDatabase } from "../app/platform/db.server.ts";
import { type Config, InvalidConfig, readConfig } from "../app/platform/env.server.ts";
import { MissingPatch } from "../app/platform/patches.server.ts";
import { ensureDatabase, startPostgres } from "./embedded-postgres/start.ts";
import { PostgresTrouble } from "./embedded-postgres/trouble.ts";

export const log = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** `clock` is the service's: in test mode it may run ahead. */
type Work = (service: { db: Db; config: Config; clock: Clock }) => Promise<number>;

/**
 * Runs a command on the database of DATABASE_URL, or the embedded one of DATA_DIR. Sets the exit code to the number that it
 * returns, or to 2 with a message if the command could not run.
 */
export const onServiceDatabase = async (work: Work): Promise<void> => {
  try {
    process.exitCode = await withDatabase(work);
  } catch (error) {
    process.stderr.write(`${explained(error)}\n`);
    process.exitCode = 2;
  }
};

const root = fileURLToPath(new URL("..", import.meta.url));

const withDatabase = async (work: Work): Promise<number> => {
  const settings = path.join(root, ".env");
  if (fs.existsSync(settings)) process.loadEnvFile(settings);
  const config = readConfig(process.env);
  const embedded =
    config.databaseUrl === null
      ? await startPostgres({ dataDir: path.resolve(root, config.dataDir, "postgres"), report: log })
      : null;
  try {
    if (embedded) await ensureDatabase(embedded, "service");
    const { db, close } = openDatabase(config.databaseUrl ?? embedded?.url("service") ?? "", {
      connections: 1,
      requestWaitMs: commandWaitMs,
    });
    try {
      const aheadMs = config.testMode ? await readTestClock({ db }) : 0;
      return await work({ db, config, clock: shiftedClock(systemClock, () => aheadMs) });
    } finally {
      await close();
    }
  } finally {
    await embedded?.stop();
  }
};

const explained = (error: unknown): unknown => {
  if (isAboutTheDatabase(error)) {
    return `The database cannot be used (${causeOf(error)}). Start the service once, or set DATABASE_URL or DATA_DIR.`;
  }
  const isExpected = [InvalidConfig, PostgresTrouble, Refusal, MissingPatch].some((kind) => error instanceof kind);
  return isExpected && error instanceof Error ? error.message : error instanceof Error ? error.stack : error;
};

const isAboutTheDatabase = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && /^(42P01|3D000|28|ECONN|ENOTFOUND|CONNECT)/.test(String(cause.code))) return true;
  }
  return false;
};

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : error;
