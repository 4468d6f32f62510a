/** Catalogue files that operators upload. */
import { index, integer, jsonb, pgEnum, pgTable, text } from "drizzle-orm/pg-core";
import type { CellError } from "../../app/domain/imports/cell-error.ts";
import { importStatuses } from "../../app/domain/imports/enums.ts";
import { accounts } from "./accounts.ts";
import { id, instant } from "./columns.ts";

export const importStatus = pgEnum("import_status", importStatuses);

/** A file that an operator brought for the catalogue: looked at first, applied on a second word. */
export const catalogueImports = pgTable(
  "catalogue_imports",
  {
    id: id(),
    operatorAccountId: integer().references(() => accounts.id, { onDelete: "set null" }),
    fileName: text().notNull(),
    /** Which of the catalogue's tables the file speaks of. */
    kind: text().notNull(),
    status: importStatus().notNull(),
    /** Erased when it has been applied or discarded. */
    content: text(),
    /** What was found, in numbers. */
    summary: jsonb().$type<Record<string, number>>().notNull().default({}),
    errors: jsonb().$type<CellError[]>().notNull().default([]),
    createdAt: instant().notNull(),
    endedAt: instant(),
  },
  (t) => [index("catalogue_imports_created_at_idx").on(t.createdAt)],
);
