/** The staging table of an import: the rows of its file, as they were read. */
import { type CopyValue, copyLine, copyRows, type Db } from "../../platform/db.server.ts";
import { formats, type ImportKind } from "./formats.ts";
import type { StagedRow, StagedValue } from "./kind.ts";
import * as queries from "./staging-queries.server.ts";

/** Rows are written in portions of about this size. Two of them bound the memory that a file needs. */
const portionCharacters = 1024 * 1024;

/** Collects rows and copies them into the import's table. One portion is written while the next one is collected. */
export const stagingWriter = (db: Db, importId: number, kind: ImportKind) => {
  const columns = Object.keys(formats[kind].staging);
  const json = new Set(
    columns.filter((column) => (formats[kind].staging as Record<string, string>)[column] === "jsonb"),
  );
  const table = queries.stagingTable(importId);
  const copied = (column: string, value: StagedValue): CopyValue =>
    value !== null && json.has(column) ? JSON.stringify(value) : (value as CopyValue);
  let waiting: string[] = [];
  let characters = 0;
  let rows = 0;
  let writing: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    await writing;
    if (waiting.length === 0) return;
    const portion = waiting.join("");
    waiting = [];
    characters = 0;
    writing = copyRows(db, table, ["row", ...columns], portion);
    // Whoever waits for it gets the error.
    writing.catch(() => {});
  };
  return {
    add: (row: number, values: StagedRow): void => {
      const line: CopyValue[] = [row];
      for (const column of columns) line.push(copied(column, values[column] ?? null));
      const text = copyLine(line);
      waiting.push(text);
      characters += text.length;
      rows++;
    },
    isFull: () => characters > portionCharacters,
    /** Waits until the portion before is written, and begins to write this one. */
    write,
    /** Resolves when all rows are written. */
    finish: async (): Promise<void> => {
      await write();
      await writing;
    },
    rows: () => rows,
  };
};
