/** Files that operators import to change the catalogue. */
import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, jsonb, pgEnum, pgTable, text } from "drizzle-orm/pg-core";
import { importStatuses } from "../../app/domain/imports/enums.ts";
import type { Finding } from "../../app/domain/imports/finding.ts";
import type { FirstRow, Preview } from "../../app/domain/imports/preview.ts";
import { accounts } from "./accounts.ts";
import { id, instant } from "./columns.ts";

export const importStatus = pgEnum("import_status", importStatuses);

/** One row, which every change of the catalogue locks and counts. */
export const catalogueState = pgTable(
  "catalogue_state",
  {
    id: boolean().primaryKey().default(true),
    revision: bigint({ mode: "number" }).notNull(),
  },
  (t) => [check("catalogue_state_one_row", sql`${t.id}`)],
);

/**
 * An imported file. It is checked first and applied only when the operator confirms. Until then its rows are in a table of
 * their own, `import_rows_<id>`.
 */
export const catalogueImports = pgTable(
  "catalogue_imports",
  {
    id: id(),
    /** Null: imported by command, or the account is deleted. */
    operatorAccountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    /** The user of the machine who imported it by command. */
    machineUser: text(),
    fileName: text().notNull(),
    /** What the file contains: carriers, routes, reports … */
    kind: text().notNull(),
    status: importStatus().notNull(),
    /** While `checking` or `applying`: when the process last reported progress. If it is old, the process has died. */
    heartbeatAt: instant(),
    /** Progress of that work: rows read, or rows written. */
    rowsDone: integer().notNull().default(0),
    /** 0: not known yet. */
    rowsExpected: integer().notNull().default(0),
    /** What the last check found. Rows with data, how many of them are staged, and the records that they make. */
    rows: integer().notNull().default(0),
    stagedRows: integer().notNull().default(0),
    /** The catalogue's revision before the last check. */
    catalogueRevision: bigint({ mode: "number" }),
    newRecords: integer().notNull().default(0),
    changedRecords: integer().notNull().default(0),
    unchangedRecords: integer().notNull().default(0),
    errorCount: integer().notNull().default(0),
    warningCount: integer().notNull().default(0),
    /** How many routes got a new version. Null until the file is applied. */
    changedRoutes: integer(),
    /** The first of each, by row. */
    errors: jsonb().$type<Finding[]>().notNull().default([]),
    warnings: jsonb().$type<Finding[]>().notNull().default([]),
    /** What applying it would change. */
    preview: jsonb().$type<Preview>(),
    /** Shown until the file is applied or discarded. */
    firstRows: jsonb().$type<FirstRow[]>().notNull().default([]),
    createdAt: instant().notNull(),
    endedAt: instant(),
  },
  (t) => [
    index("catalogue_imports_created_at_idx").on(t.createdAt),
    check(
      "catalogue_imports_heartbeat",
      sql`(${t.status} in ('checking', 'applying')) = (${t.heartbeatAt} is not null)`,
    ),
  ],
);
