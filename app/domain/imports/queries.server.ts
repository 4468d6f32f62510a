import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { accounts, catalogueImports } from "#drizzle/schema/index.ts";
import type { Db, Tx } from "../../platform/db.server.ts";

// ── Imports ─────────────────────────────────────────────────────────────────────────────────────────

const importColumns = {
  id: catalogueImports.id,
  fileName: catalogueImports.fileName,
  kind: catalogueImports.kind,
  status: catalogueImports.status,
  heartbeatAt: catalogueImports.heartbeatAt,
  rowsDone: catalogueImports.rowsDone,
  rowsExpected: catalogueImports.rowsExpected,
  rows: catalogueImports.rows,
  newRecords: catalogueImports.newRecords,
  changedRecords: catalogueImports.changedRecords,
  unchangedRecords: catalogueImports.unchangedRecords,
  errorCount: catalogueImports.errorCount,
  warningCount: catalogueImports.warningCount,
  changedRoutes: catalogueImports.changedRoutes,
  createdAt: catalogueImports.createdAt,
  endedAt: catalogueImports.endedAt,
  operator: sql<string | null>`coalesce(${accounts.username}, ${catalogueImports.machineUser})`,
};

export const insertImport = async (tx: Tx, row: typeof catalogueImports.$inferInsert): Promise<number> => {
  const [inserted] = await tx.insert(catalogueImports).values(row).returning({ id: catalogueImports.id });
  if (!inserted) throw new Error("The insert returned no import");
  return inserted.id;
};

/** Newest first. */
export const listImports = (db: Tx, { before, limit }: { before: number | null; limit: number }) =>
  db
    .select(importColumns)
    .from(catalogueImports)
    .leftJoin(accounts, eq(accounts.id, catalogueImports.operatorAccountId))
    .where(before === null ? undefined : lt(catalogueImports.id, before))
    .orderBy(desc(catalogueImports.id))
    .limit(limit);

/** Null: no such import. */
export const findImport = async (db: Tx, id: number) => {
  const [row] = await db
    .select({
      ...importColumns,
      stagedRows: catalogueImports.stagedRows,
      catalogueRevision: catalogueImports.catalogueRevision,
      errors: catalogueImports.errors,
      warnings: catalogueImports.warnings,
      preview: catalogueImports.preview,
      firstRows: catalogueImports.firstRows,
    })
    .from(catalogueImports)
    .leftJoin(accounts, eq(accounts.id, catalogueImports.operatorAccountId))
    .where(eq(catalogueImports.id, id));
  return row ?? null;
};

type Row = typeof catalogueImports.$inferInsert;
type Status = Row["status"];

/** The state of an import after a piece of work, and what changes with it. */
export type Outcome = { status: Exclude<Status, "checking" | "applying"> } & Partial<Omit<Row, "id" | "status">>;

/** @returns false if the import is in none of these states */
export const endWork = async (tx: Tx, id: number, from: readonly Status[], outcome: Outcome): Promise<boolean> => {
  const changed = await tx
    .update(catalogueImports)
    .set({ ...outcome, heartbeatAt: null })
    .where(and(eq(catalogueImports.id, id), inArray(catalogueImports.status, [...from])))
    .returning({ id: catalogueImports.id });
  return changed.length > 0;
};

/** Marks a checked file as being applied. Restarts the progress of one that is `applying` already. */
export const beginApplying = (db: Tx, id: number, now: Date) =>
  db
    .update(catalogueImports)
    .set({ status: "applying", heartbeatAt: now, rowsDone: 0, rowsExpected: catalogueImports.rows })
    .where(and(eq(catalogueImports.id, id), inArray(catalogueImports.status, ["checked", "applying"])));

/** Updates progress and heartbeat of work. @returns false if it has been ended meanwhile */
export const noteProgress = async (
  db: Tx,
  id: number,
  progress: Partial<Pick<Row, "rowsDone" | "rowsExpected" | "heartbeatAt">>,
): Promise<boolean> => {
  const changed = await db
    .update(catalogueImports)
    .set(progress)
    .where(and(eq(catalogueImports.id, id), inArray(catalogueImports.status, ["checking", "applying"])))
    .returning({ id: catalogueImports.id });
  return changed.length > 0;
};

/** Discards unapplied files imported before a moment. Refused ones keep their status. */
export const discardBegunBefore = async (db: Db, before: Date, now: Date): Promise<number> => {
  const left = await db
    .update(catalogueImports)
    .set({
      firstRows: [],
      endedAt: now,
      heartbeatAt: null,
      status: sql`case ${catalogueImports.status} when 'refused' then 'refused' else 'discarded' end::import_status`,
    })
    .where(
      and(
        lt(catalogueImports.createdAt, before),
        inArray(catalogueImports.status, ["checking", "checked", "refused", "applying"]),
        sql`${catalogueImports.endedAt} is null`,
      ),
    )
    .returning({ id: catalogueImports.id });
  return left.length;
};
