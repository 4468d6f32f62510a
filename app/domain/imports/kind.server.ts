/** What the database does with the rows of a file, set by set. Each kind has it in its `…-queries.server.ts`. */
import type { SQL } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";
import type { Diff } from "./kind.ts";

/** The rows of a file, in their own table with the column `row` and those of the kind's `staging`. */
export type StagedFile = {
  db: Tx;
  importId: number;
  /** The table, to be written after `from`. */
  table: SQL;
  /** How many rows it has. */
  rows: number;
  now: Date;
};

/**
 * Runs a check. The query selects a row for each finding, in any order:
 * `row` (integer), `column`, `code` (a `FindingCode`), `message` and `value` (text).
 */
export type Find = (severity: "error" | "warning", query: SQL) => Promise<void>;

export type ImportSteps = {
  /** The staging columns that identify a record, for finding duplicates within the file. Null: the kind's own matter. */
  key: { columns: readonly [string, ...string[]]; reportedAt: string } | null;
  /**
   * A query for the rows with what they refer to in the catalogue. Its result replaces them before they are checked, so
   * that no later step has to look it up again. Must also accept rows that it has made itself.
   */
  resolved?(file: StagedFile): SQL;
  /** Checks the rows against each other and against the catalogue. */
  checkStaged(file: StagedFile, find: Find): Promise<void>;
  /** Compares the rows with the catalogue. Called only without errors. */
  diff(file: StagedFile): Promise<Diff>;
  /**
   * A query with the column `route_id`: the existing routes that the changes concern, for the preview. Absent: `diff`
   * returns them.
   */
  routes?(file: StagedFile): SQL;
  /**
   * Writes new and changed records by their natural key. Runs in the import's transaction, which holds the catalogue's
   * lock. Every changed route is noted in `import_changes`; the engine gives these their new version and records prices.
   *
   * @returns what it has written, if it counts that; otherwise the engine compares the rows before they are applied
   */
  apply(file: StagedFile, onProgress: (rowsDone: number) => void): Promise<Diff["counts"] | undefined>;
  /** Whether `apply` returns counts. */
  countsWrites?: true;
};
