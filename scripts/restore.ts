/**
 * `npm run restore -- FILE`: restores a backup into the database of DATABASE_URL, or the embedded one of DATA_DIR. The
 * service must not run on it.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { reconcile } from "../app/domain/payments/reconcile.server.ts";
import { counted } from "../app/domain/wording.ts";
import { commandWaitMs, openDatabase } from "../app/platform/db.server.ts";
import { type OpenBackup, openBackup } from "./backup/read-backup.ts";
import { restore } from "./backup/restore.ts";
import { keepKey, keyFile, keyIdOf, refuseOtherKey } from "./backup/secrets-key.ts";
import { printReconciliation } from "./print-reconciliation.ts";
import { type Database, log, withDatabaseUrl, withSettings } from "./service-database.ts";

const usage = `npm run restore -- FILE             restores a backup into an empty database
npm run restore -- FILE --replace   deletes what is in the database before`;

type Args = { file: string; replace: boolean };

const parsedArgs = (): Args | null => {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { replace: { type: "boolean", default: false } },
    });
    const [file, ...more] = positionals;
    return file === undefined || more.length > 0
      ? null
      : { file: path.resolve(process.env.INIT_CWD ?? ".", file), ...values };
  } catch {
    return null;
  }
};

const run = ({ file, replace }: Args): Promise<void> =>
  withSettings(async (settings) => {
    // Before a database is created for it.
    const backup = await openBackup(file);
    try {
      return await withDatabaseUrl(settings, { create: true }, (database) => restoreInto(database, backup, replace));
    } finally {
      backup.close();
    }
  });

const restoreInto = async (
  { url, config, dataDir }: Database,
  backup: OpenBackup,
  replace: boolean,
): Promise<number> => {
  const { createdAt, release, postgresql, secretsKeyId } = backup.manifest;
  log(`A backup of ${createdAt}, made by release ${release} on PostgreSQL ${postgresql}.`);
  const key = config.secretsKey === null ? backup.secretsKey : null;
  if (key !== null) refuseOtherKey(key, dataDir);
  const { rows } = await restore(url, backup, {
    replace,
    progress: (table, count) => {
      if (count > 0) log(`  ${table.padEnd(44)} ${count.toLocaleString("en-US").padStart(12)}`);
    },
  });
  log(`${counted(rows, "row")} restored.`);
  if (key !== null) keepKey(key, dataDir);
  const keyId = keyIdOf(config, dataDir);
  if (secretsKeyId !== null && keyId !== secretsKeyId) {
    log(
      `WARNING  The backup's secrets are encrypted with ${keyId === null ? "a key that is not here" : "another key"}. ` +
        `Set SECRETS_KEY to it, or put it into ${keyFile(dataDir)}, before you start the service: ` +
        "otherwise two-factor sign-in and webhooks do not work.",
    );
  }
  const { db, close } = openDatabase(url, { connections: 1, requestWaitMs: commandWaitMs });
  try {
    return printReconciliation(await reconcile({ db, settings: config }));
  } finally {
    await close();
  }
};

const args = parsedArgs();
if (args) await run(args);
else {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
}
