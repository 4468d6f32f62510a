/** The staging table of an import: the rows of its file, as they were read. */
import { type CopyValue, copyLine, copyRows, type Db } from "../../platform/db.server.ts";
import { formats, type ImportKind } from "./formats.ts";
import type { StagedRow, StagedValue } from "./kind.ts";
import * as queries from "./staging-queries.server.ts";

/** Rows are written in portions of about this size. Bounds the memory that a file needs. */
const portionCharacters = 512 * 1024;

/** Collects rows and copies them into the import's table. */
export const stagingWriter = (db: Db, importId: number, kind: ImportKind) => {
  const types = Object.entries(formats[kind].staging);
  const columns = types.map(([column]) => column);
  const table = queries.stagingTable(importId);
  let waiting = "";
  let rows = 0;
  const flush = async (): Promise<void> => {
    const portion = waiting;
    waiting = "";
    if (portion !== "") await copyRows(db, table, ["row", ...columns], portion);
  };
  return {
    add: (row: number, values: StagedRow): void => {
      waiting += copyLine([row, ...types.map(([column, type]) => copied(values[column] ?? null, type))]);
      rows++;
    },
    isFull: () => waiting.length > portionCharacters,
    flush,
    rows: () => rows,
  };
};

const copied = (value: StagedValue, type: string): CopyValue =>
  value !== null && type === "jsonb" ? JSON.stringify(value) : (value as CopyValue);
