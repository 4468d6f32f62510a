/** Writes a backup. The service may run meanwhile: everything is read from one snapshot. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import {
  BackupTrouble,
  type Contents,
  formatVersion,
  keyEntry,
  type Manifest,
  type Table,
  type TableContents,
} from "./format.ts";
import { copyOut, inTransaction, type Sql } from "./session.ts";
import { partitionsOf, quoted, quotedList, sequencesOf, tablesOf } from "./tables.ts";
import { type Entry, tarEnd, tarEntry } from "./tar.ts";

export type Summary = { tables: number; rows: number; fileBytes: number };

export type BackupOptions = {
  /** Of the running release. */
  release: string;
  now: Date;
  secretsKeyId: string | null;
  /** Stored in the file if set. */
  secretsKey?: string;
  progress?: (table: string, rows: number) => void;
  /** Called with the id of the snapshot that is read. */
  onSnapshot?: (snapshot: string) => Promise<void>;
};

/**
 * Only its owner can read the file. It gets its name when it is complete: an interrupted backup leaves none.
 *
 * @throws BackupTrouble
 */
export const backUp = async (url: string, file: string, options: BackupOptions): Promise<Summary> => {
  if (fs.existsSync(file)) throw new BackupTrouble(`${file} exists. Choose another name, or delete it.`);
  const unfinished = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`);
  let summary = { tables: 0, rows: 0 };
  let isCreated = false;
  /** Why writing failed. Ending the transaction during a COPY then fails too, with another error. */
  let cause: unknown;
  try {
    const found = await inTransaction(url, "", tablesOf);
    if (found.length === 0) {
      throw new BackupTrouble("The database is empty. Check DATABASE_URL or DATA_DIR, or start the service once.");
    }
    const output = fs.createWriteStream("", { fd: fs.openSync(unfinished, "wx", 0o600), flush: true });
    isCreated = true;
    await inTransaction(url, "isolation level repeatable read read only", async (sql) => {
      await lock(sql, found);
      const entries = entriesOf(sql, options, found, (contents) => {
        summary = { tables: contents.length, rows: contents.reduce((sum, { rows }) => sum + rows, 0) };
      });
      await pipeline(bytesOf(entries, options.now), createGzip({ level: 5 }), output).catch(async (error: unknown) => {
        cause = error;
        await entries.return();
        throw error;
      });
    });
    // Unlike a rename, this fails if the file has appeared meanwhile.
    fs.linkSync(unfinished, file);
  } catch (error) {
    throw troubleWith(cause ?? error, file) ?? cause ?? error;
  } finally {
    // In a folder that may not be entered, even this would fail.
    if (isCreated) fs.rmSync(unfinished, { force: true });
  }
  return { ...summary, fileBytes: fs.statSync(file).size };
};

const bytesOf = async function* (entries: AsyncIterable<Entry>, modifiedAt: Date) {
  for await (const entry of entries) yield tarEntry(entry, modifiedAt);
  yield tarEnd();
};

const entriesOf = async function* (
  sql: Sql,
  options: BackupOptions,
  locked: Table[],
  onEnd: (contents: TableContents[]) => void,
): AsyncGenerator<Entry, void> {
  const manifest = await manifestOf(sql, options, locked);
  yield json("manifest.json", manifest);
  if (options.secretsKey !== undefined) yield { name: keyEntry, content: Buffer.from(`${options.secretsKey}\n`) };
  const contents: TableContents[] = [];
  for (const table of manifest.tables) {
    const read = yield* rowsOf(sql, table);
    contents.push(read);
    options.progress?.(table.name, read.rows);
  }
  // Sequences are not part of the snapshot. Read after the tables, they are beyond every row.
  const last: Contents = { tables: contents, sequences: await sequencesOf(sql) };
  yield json("contents.json", last);
  onEnd(contents);
};

const json = (name: string, value: unknown): Entry => ({
  name,
  content: Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
});

const lockTimeoutMs = 10_000;

/**
 * Locks the tables against being changed or dropped, as `pg_dump` does, before the first query takes the snapshot. Reads and
 * writes go on.
 */
const lock = async (sql: Sql, tables: Table[]): Promise<void> => {
  await sql.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
  await sql.unsafe(`lock table ${quotedList(tables.map(({ name }) => name))} in access share mode`);
};

const manifestOf = async (sql: Sql, options: BackupOptions, locked: Table[]): Promise<Manifest> => {
  const tables = await tablesOf(sql);
  if (JSON.stringify(tables) !== JSON.stringify(locked)) throw new BackupTrouble(beingMigrated);
  const [facts] = await sql<{ version: string; snapshot: string }[]>`
    select current_setting('server_version') as version, pg_export_snapshot() as snapshot`;
  const migrations = await appliedTo(sql);
  await options.onSnapshot?.(facts?.snapshot ?? "");
  return {
    format: "shipping-route-data-service backup",
    formatVersion,
    createdAt: options.now.toISOString(),
    release: options.release,
    postgresql: facts?.version ?? "",
    migrations: migrations.map(({ createdAt, name }) => ({ createdAt: Number(createdAt), name })),
    secretsKeyId: options.secretsKeyId,
    tables,
    partitions: await partitionsOf(sql),
  };
};

/** Their names are not known of a database that only releases before `drizzle.compatibility` have migrated. */
const appliedTo = async (sql: Sql): Promise<{ createdAt: string; name: string | null }[]> => {
  const [{ named } = { named: false }] = await sql<{ named: boolean }[]>`
    select to_regclass('drizzle.compatibility') is not null as named`;
  return named
    ? sql`
        select created_at::text as "createdAt", name from drizzle.__drizzle_migrations
        left join drizzle.compatibility using (created_at) order by created_at`
    : sql`
        select created_at::text as "createdAt", null as name from drizzle.__drizzle_migrations order by created_at`;
};

const beingMigrated = "A table is being changed, probably by a migration. Try again when the service has started.";

const entryBytes = 1 << 20;

/** The rows of a table in entries of about a megabyte. Each ends with a whole row. */
const rowsOf = async function* (sql: Sql, { name, columns }: Table): AsyncGenerator<Entry, TableContents> {
  const hash = createHash("sha256");
  let [rows, bytes, files, held] = [0, 0, 0, 0];
  let parts: Buffer[] = [];
  const entry = (): Entry => {
    files += 1;
    const content = Buffer.concat(parts);
    [parts, held] = [[], 0];
    return { name: `tables/${name}/${String(files).padStart(6, "0")}.copy`, content };
  };
  for await (const chunk of copyOut(sql, `copy (select ${quotedList(columns)} from ${quoted(name)}) to stdout`)) {
    hash.update(chunk);
    parts.push(chunk);
    rows += rowsIn(chunk);
    bytes += chunk.length;
    held += chunk.length;
    if (held >= entryBytes) yield entry();
  }
  if (parts.length > 0) yield entry();
  return { name, rows, bytes, sha256: hash.digest("hex") };
};

/** COPY writes each row as one line; a line break within a value is written as `\\n`. */
const rowsIn = (chunk: Buffer): number => {
  let count = 0;
  for (let end = chunk.indexOf(lineEnd); end !== -1; end = chunk.indexOf(lineEnd, end + 1)) count += 1;
  return count;
};
const lineEnd = 0x0a;

/** Of the file system, or of a table that cannot be locked. */
const troubleWith = (error: unknown, file: string): BackupTrouble | null => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^E(NOSPC|DQUOT|ACCES|ROFS|NOENT|EXIST|NOTDIR|PERM|IO)$/.test(code)) {
    return new BackupTrouble(`${file} cannot be written (${code}). Nothing is left of it.`);
  }
  if (code === "55P03") {
    return new BackupTrouble(beingMigrated);
  }
  return null;
};
