/** The staging table of an import: the rows of its file, as they were read. */
import { copyRows, type Db } from "../../platform/db.server.ts";
import type { ImportKind } from "./formats.ts";
import { stagedColumns } from "./portions.ts";
import { stagingTable } from "./staging-queries.server.ts";

/** Copies lines into the import's table. A portion is written while the next one is read. */
export const stagingWriter = (db: Db, importId: number, kind: ImportKind) => {
  let writing: Promise<void> = Promise.resolve();
  return {
    /** Waits until the lines before are written, and begins to write these. */
    write: async (lines: Uint8Array): Promise<void> => {
      await writing;
      if (lines.length === 0) return;
      writing = copyRows(db, stagingTable(importId), stagedColumns(kind), lines);
      // Whoever waits for it gets the error.
      writing.catch(() => {});
    },
    /** Resolves when all lines are written. */
    finish: () => writing,
  };
};
