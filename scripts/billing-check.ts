/**
 * `npm run billing:check`: whether what was ordered, paid, invoiced, given back and handed over agrees to the cent. Reads
 * the database of DATABASE_URL, or the embedded one of DATA_DIR. Ends with 1 when anything differs.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Reconciliation, reconcile } from "../app/domain/payments/reconcile.server.ts";
import { openDatabase } from "../app/platform/db.server.ts";
import { InvalidConfig, readConfig } from "../app/platform/env.server.ts";
import { ensureDatabase, PostgresTrouble, startPostgres } from "./embedded-postgres.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const say = (line: string) => process.stdout.write(`${line}\n`);

const main = async (): Promise<number> => {
  const settings = path.join(root, ".env");
  if (fs.existsSync(settings)) process.loadEnvFile(settings);
  const config = readConfig(process.env);
  const embedded =
    config.databaseUrl === null
      ? await startPostgres({ dataDir: path.resolve(root, config.dataDir, "postgres"), report: say })
      : null;
  try {
    if (embedded) await ensureDatabase(embedded, "service");
    const url = config.databaseUrl ?? embedded?.url("service") ?? "";
    const { db, close } = openDatabase(url, { connections: 1 });
    try {
      return tell(await reconcile({ db, settings: config }));
    } finally {
      await close();
    }
  } finally {
    await embedded?.stop();
  }
};

const tell = ({ tallies, differences }: Reconciliation): number => {
  for (const { what, count, cents } of tallies) {
    say(`${what.padEnd(18)} ${String(count).padStart(8)} ${money(cents).padStart(16)}`);
  }
  for (const difference of differences) say(`DIFFERENCE  ${difference}`);
  say(differences.length === 0 ? "Everything agrees to the cent." : `${differences.length} differences.`);
  return differences.length === 0 ? 0 : 1;
};

const money = (cents: number) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

const isAboutTheDatabase = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && /^(42P01|3D000|28|ECONN|ENOTFOUND|CONNECT)/.test(String(cause.code))) return true;
  }
  return false;
};

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? causeOf(error.cause) : error;

try {
  process.exitCode = await main();
} catch (error) {
  const isExpected = error instanceof InvalidConfig || error instanceof PostgresTrouble;
  const message = isAboutTheDatabase(error)
    ? `The database cannot be checked (${causeOf(error)}). Start the service once, or set DATABASE_URL or DATA_DIR.`
    : isExpected
      ? error.message
      : error instanceof Error
        ? error.stack
        : error;
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
