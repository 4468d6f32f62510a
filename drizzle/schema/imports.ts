/** Files that operators upload to change the catalogue. */
import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgEnum, pgTable, text } from "drizzle-orm/pg-core";
import type { CellError } from "../../app/domain/imports/cell-error.ts";
import { importStatuses } from "../../app/domain/imports/enums.ts";
import { accounts } from "./accounts.ts";
import { id, instant } from "./columns.ts";

export const importStatus = pgEnum("import_status", importStatuses);

/** An uploaded file. It is checked first and applied only when the operator confirms. */
export const catalogueImports = pgTable(
  "catalogue_imports",
  {
    id: id(),
    operatorAccountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    fileName: text().notNull(),
    /** What the file contains: routes, rates or reports. */
    kind: text().notNull(),
    status: importStatus().notNull(),
    /** Erased once the file is applied or discarded. */
    content: text(),
    /** While `checking` or `applying`: when the process last reported progress. If it is old, the process has died. */
    heartbeatAt: instant(),
    /** Progress of that work: lines read, or records written. */
    rowsDone: integer().notNull().default(0),
    rowsExpected: integer().notNull().default(0),
    /** What the last check found. Lines with data, and the records that they make. */
    rows: integer().notNull().default(0),
    newRecords: integer().notNull().default(0),
    changedRecords: integer().notNull().default(0),
    unchangedRecords: integer().notNull().default(0),
    errorCount: integer().notNull().default(0),
    /** How many routes got a new version. Null until the file is applied. */
    changedRoutes: integer(),
    /** The first of the errors. */
    errors: jsonb().$type<CellError[]>().notNull().default([]),
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
