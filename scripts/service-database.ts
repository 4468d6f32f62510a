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
import { SchemaTrouble } from "../drizzle/schema-version.ts";
import { BackupTrouble } from "./backup/format.ts";
import { ensureServiceDatabase } from "./embedded-postgres/service-role.ts";
import { startPostgres } from "./embedded-postgres/start.ts";
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
export const onServiceDatabase = (work: Work): Promise<void> =>
  onDatabaseUrl((database) => withDatabase(database, work));

/** It may be empty. */
export type Database = { url: string; config: Config; dataDir: string };

/** The same for a command that opens its own connections. */
export const onDatabaseUrl = (work: (database: Database) => Promise<number>): Promise<void> =>
  withSettings((settings) => withDatabaseUrl(settings, { create: false }, work));

type Settings = { config: Config; dataDir: string };

/** The same for a command that needs only the settings. */
export const withSettings = async (work: (settings: Settings) => Promise<number>): Promise<void> => {
  try {
    const file = path.join(root, ".env");
    if (fs.existsSync(file)) process.loadEnvFile(file);
    const config = readConfig(process.env);
    process.exitCode = await work({ config, dataDir: path.resolve(root, config.dataDir) });
  } catch (error) {
    process.stderr.write(`${explained(error)}\n`);
    process.exitCode = 2;
  }
};

const root = fileURLToPath(new URL("..", import.meta.url));

/** @param options.create whether an embedded database is created where there is none */
export const withDatabaseUrl = async (
  { config, dataDir }: Settings,
  { create }: { create: boolean },
  work: (database: Database) => Promise<number>,
): Promise<number> => {
  const embedded =
    config.databaseUrl === null
      ? await startPostgres({ dataDir: path.join(dataDir, "postgres"), create, report: log })
      : null;
  try {
    const url = embedded ? await ensureServiceDatabase(embedded) : (config.databaseUrl ?? "");
    return await work({ url, config, dataDir });
  } finally {
    await embedded?.stop();
  }
};

const withDatabase = async ({ url, config }: Database, work: Work): Promise<number> => {
  const { db, close } = openDatabase(url, { connections: 1, requestWaitMs: commandWaitMs });
  try {
    const aheadMs = config.testMode ? await readTestClock({ db }) : 0;
    return await work({ db, config, clock: shiftedClock(systemClock, () => aheadMs) });
  } finally {
    await close();
  }
};

const explained = (error: unknown): unknown => {
  if (isAboutTheDatabase(error)) {
    return `The database cannot be used (${causeOf(error)}). Start the service once, or set DATABASE_URL or DATA_DIR.`;
  }
  const expected = [InvalidConfig, PostgresTrouble, Refusal, MissingPatch, BackupTrouble, SchemaTrouble];
  const isExpected = expected.some((kind) => error instanceof kind);
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
