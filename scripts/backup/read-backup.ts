/** Reads a backup from its file, and checks it on the way. */
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import { BackupTrouble, type Contents, contents, formatVersion, keyEntry, type Manifest, manifest } from "./format.ts";
import { type Entry, readTar } from "./tar.ts";

export type OpenBackup = {
  manifest: Manifest;
  /** Null: it was made without the key. */
  secretsKey: string | null;
  /** In the order of the file. The rows of a table must be read before the next table. */
  tables(): AsyncGenerator<{ name: string; rows: AsyncGenerator<Buffer, void> }, void>;
  /** After the tables. @throws BackupTrouble if the file is incomplete, or what was read is not what was written */
  contents(): Contents;
  close(): void;
};

/** @throws BackupTrouble */
export const openBackup = async (file: string): Promise<OpenBackup> => {
  const source = fs.createReadStream(file, { highWaterMark: 1 << 18 });
  const gunzip = createGunzip();
  source.on("error", (error) => gunzip.destroy(error));
  const entries = explained(file, readTar(source.pipe(gunzip)));
  const close = () => {
    source.destroy();
    gunzip.destroy();
  };
  try {
    const [first, second] = [await entries.next(), await entries.next()];
    if (first.done || first.value.name !== "manifest.json") throw new BackupTrouble(`${file} is not a backup.`);
    const described = parsed(file, first.value, manifest);
    if (described.formatVersion > formatVersion) {
      throw new BackupTrouble(`${file} was made by a newer release (${described.release}). Restore it with that one.`);
    }
    const hasKey = !second.done && second.value.name === keyEntry;
    const read = readEntries(file, hasKey || second.done ? entries : withFirst(second.value, entries));
    const secretsKey = hasKey ? second.value.content.toString("utf8").trim() : null;
    return { manifest: described, secretsKey, ...read, close };
  } catch (error) {
    close();
    throw error;
  }
};

const withFirst = async function* (first: Entry, rest: AsyncGenerator<Entry, void>): AsyncGenerator<Entry, void> {
  yield first;
  yield* rest;
};

const readEntries = (file: string, entries: AsyncGenerator<Entry, void>): Pick<OpenBackup, "tables" | "contents"> => {
  const read = new Map<string, { bytes: number; sha256: string }>();
  let last: Contents | null = null;
  let next: Entry | null = null;

  const advance = async (): Promise<void> => {
    const step = await entries.next();
    next = step.done ? null : step.value;
  };
  const rowsOf = async function* (name: string): AsyncGenerator<Buffer, void> {
    const hash = createHash("sha256");
    let bytes = 0;
    while (next !== null && tableOf(next) === name) {
      hash.update(next.content);
      bytes += next.content.length;
      yield next.content;
      await advance();
    }
    read.set(name, { bytes, sha256: hash.digest("hex") });
  };
  return {
    tables: async function* () {
      await advance();
      while (next !== null && next.name !== "contents.json") {
        const name = tableOf(next);
        if (name === null || read.has(name)) throw new BackupTrouble(damaged(file, `unexpected entry ${next.name}`));
        yield { name, rows: rowsOf(name) };
        if (!read.has(name)) throw new Error(`The rows of ${name} were not read to their end`);
      }
      if (next !== null) last = parsed(file, next, contents);
      await advance();
    },
    contents: () => {
      if (last === null) throw new BackupTrouble(damaged(file, "it is incomplete"));
      for (const { name, bytes, sha256 } of last.tables) {
        const found = read.get(name) ?? { bytes: 0, sha256: hashOfNothing };
        if (found.bytes !== bytes || found.sha256 !== sha256) {
          throw new BackupTrouble(damaged(file, `the rows of ${name} are not those that were written`));
        }
      }
      return last;
    },
  };
};

const hashOfNothing = createHash("sha256").digest("hex");

const tableOf = ({ name }: Entry): string | null =>
  /^tables\/((?:public|history)\.[a-z0-9_]+)\/\d+\.copy$/.exec(name)?.[1] ?? null;

const parsed = <Shape extends z.ZodType>(file: string, { name, content }: Entry, shape: Shape): z.output<Shape> => {
  try {
    return shape.parse(JSON.parse(content.toString("utf8")));
  } catch {
    throw new BackupTrouble(damaged(file, `${name} cannot be read`));
  }
};

/** Errors of the file, of gzip and of tar, in words for the operator. */
const explained = async function* (file: string, entries: AsyncGenerator<Entry, void>): AsyncGenerator<Entry, void> {
  try {
    yield* entries;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new BackupTrouble(/^E[A-Z]+$/.test(code) ? `${file} cannot be read (${code}).` : damaged(file, message));
  }
};

const damaged = (file: string, why: string): string => `${file} is damaged or no backup: ${why}. Use another backup.`;
