/** Restores a backup into a PostgreSQL of its own, compares every row with the file, and checks the books. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { type Reconciliation, reconcile } from "#app/domain/payments/reconcile.server.ts";
import { commandWaitMs, openDatabase } from "#app/platform/db.server.ts";
import { migrate } from "#drizzle/migrate.ts";
import { ensureDatabase, startPostgres } from "../embedded-postgres/start.ts";
import { BackupTrouble } from "./format.ts";
import { openBackup } from "./read-backup.ts";
import { restoreRows } from "./restore.ts";
import { copyOut, inTransaction, type Sql } from "./session.ts";
import { quoted, quotedList, tablesOf } from "./tables.ts";

export type Verified = { rows: number; reconciliation: Reconciliation };

/**
 * Neither the service's database nor its rights are used. The scratch database is deleted at the end.
 *
 * @param options.folder where it is kept meanwhile; it needs about three times the size of the database
 * @throws BackupTrouble
 */
export const verifyBackup = async (
  file: string,
  options: { folder: string; testMode: boolean; progress?: (table: string, rows: number) => void },
): Promise<Verified> => {
  const dataDir = path.join(options.folder, `verify-${process.pid}`);
  const server = await startPostgres({ dataDir, durable: false });
  try {
    await ensureDatabase(server, "verify");
    const url = server.url("verify");
    const backup = await openBackup(file);
    const { rows } = await restoreRows(url, backup, { replace: false, ...options }).finally(backup.close);
    const [restored, written] = [await inTransaction(url, "", rowDigests), await digestsOfFile(file)];
    for (const [name, digest] of written) {
      if (restored.get(name) !== digest)
        throw new BackupTrouble(`${name} has other rows after restoring than in ${file}.`);
    }
    await migrate(url);
    const { db, close } = openDatabase(url, { connections: 1, requestWaitMs: commandWaitMs });
    try {
      return { rows, reconciliation: await reconcile({ db, settings: options }) };
    } finally {
      await close();
    }
  } finally {
    await server.stop();
    fs.rmSync(server.dataDir, { recursive: true, force: true });
    fs.rmSync(`${server.dataDir}.log`, { force: true });
  }
};

/** A digest of the rows of each table, whatever their order. */
export const rowDigests = async (sql: Sql): Promise<Map<string, string>> => {
  const digests = new Map<string, string>();
  for (const { name, columns } of await tablesOf(sql)) {
    const rows = copyOut(sql, `copy (select ${quotedList(columns)} from ${quoted(name)}) to stdout`);
    digests.set(name, await digestOf(rows));
  }
  return digests;
};

const digestsOfFile = async (file: string): Promise<Map<string, string>> => {
  const backup = await openBackup(file);
  try {
    const digests = new Map<string, string>();
    for await (const { name, rows } of backup.tables()) digests.set(name, await digestOf(rows));
    backup.contents();
    return digests;
  } finally {
    backup.close();
  }
};

/** The sum of the hashes of the lines. */
const digestOf = async (chunks: AsyncIterable<Buffer>): Promise<string> => {
  let [sum, count] = [0n, 0];
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(lineEnd, start) + 1;
      const hash = createHash("sha256").update(chunk.subarray(start, end)).digest();
      sum = BigInt.asUintN(128, sum + hash.readBigUInt64BE(0) + (hash.readBigUInt64BE(8) << 64n));
      count += 1;
      start = end;
    }
  }
  return `${count} rows, ${sum.toString(16)}`;
};
const lineEnd = 0x0a;
