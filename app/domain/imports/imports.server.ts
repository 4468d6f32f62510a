/**
 * Imports of catalogue files by operators. A file is checked first and applied when the operator confirms. Long work
 * continues after the response; its progress is stored with the import.
 */

import { z } from "zod";
import { asLongWork, asRequest } from "../../platform/time-budget.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { importCatalogue, lockCatalogue } from "../catalogue/import.server.ts";
import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { conflict, notFound, Refusal } from "../errors.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import type { CellError } from "./cell-error.ts";
import type { Plan } from "./check.ts";
import type { importStatuses } from "./enums.ts";
import { cellRows, type FileFormat, type FileRow, formatOf, type ImportKind, textIn } from "./file.ts";
import { planImport } from "./plan.server.ts";
import { unappliedImportDays } from "./policy.ts";
import * as queries from "./queries.server.ts";

type World = Pick<Context, "db" | "clock" | "log">;

export type ImportStatus = (typeof importStatuses)[number];

export type CatalogueImport = {
  id: number;
  fileName: string;
  kind: ImportKind;
  status: ImportStatus;
  counts: { rows: number; new: number; changed: number; unchanged: number; errors: number };
  /** The work in progress. Null: none. */
  work: { task: "checking" | "applying"; rowsDone: number; rowsExpected: number } | null;
  /** The check did not finish because its process died. */
  interrupted: boolean;
  /** Null: the account was deleted. */
  operator: string | null;
  createdAt: Date;
  endedAt: Date | null;
};

/** How many errors are stored. */
export const errorsKept = 200;
/** How many characters of a wrong value are stored. */
const valueKept = 200;
const heartbeatTimeoutSeconds = 60;

/**
 * Stores a file and checks it. Nothing is written to the catalogue.
 *
 * @returns `done` resolves when the check ends. It never rejects
 * @throws invalid `file` or `kind` for an unreadable file
 */
export const checkFile = async (
  ctx: World,
  operator: OperatorCaller,
  input: { fileName: string; bytes: Uint8Array; kind?: ImportKind | undefined },
): Promise<{ id: number; done: Promise<void> }> => {
  const text = textIn(input.bytes);
  const format = formatOf(text, input.kind);
  const now = ctx.clock.now();
  const id = await queries.insertImport(ctx.db, {
    operatorAccountId: operator.account.id,
    fileName: input.fileName.slice(0, 200),
    kind: format.kind,
    status: "checking",
    heartbeatAt: now,
    content: text,
    rowsExpected: linesIn(text),
    createdAt: now,
  });
  return { id, done: asLongWork(() => check(ctx, operator, { id, text, format })).catch(logged(ctx, id)) };
};

const check = async (ctx: World, operator: OperatorCaller, file: { id: number; text: string; format: FileFormat }) => {
  const progress = progressOf(ctx, file.id);
  const plan = await planImport(ctx, file, progress.note);
  await progress.settled();
  const status = plan.errors.length === 0 ? "checked" : "refused";
  await ctx.db.transaction(async (tx) => {
    const outcome = { status, ...findingsOf(plan), errors: keptOf(plan.errors) } as const;
    if (!(await queries.endWork(tx, file.id, ["checking"], outcome))) return;
    await recordAudit(tx, operator, "catalogue_import.checked", ctx.clock.now(), { ...factsOf(file), status });
  });
};

const findingsOf = ({ rows, counts, errors }: Plan): queries.Findings => ({
  rows,
  newRecords: counts.new,
  changedRecords: counts.changed,
  unchangedRecords: counts.unchanged,
  errorCount: errors.length,
});

/** The first errors, with shortened values. */
const keptOf = (errors: readonly CellError[]): CellError[] =>
  errors.slice(0, errorsKept).map((error) => ({ ...error, value: error.value.slice(0, valueKept).toWellFormed() }));

/**
 * Applies a checked file once, in one transaction. The file is first checked again, as the catalogue may have changed.
 *
 * @returns `done` resolves when the file is applied
 * @throws not_found
 * @throws conflict if the file cannot be applied; from `done` also if it no longer fits the catalogue
 */
export const applyImport = async (
  ctx: World,
  operator: OperatorCaller,
  input: { id: number },
): Promise<{ done: Promise<void> }> => {
  const kept = await queries.findContent(ctx.db, input.id);
  if (!kept) throw notFound("Import");
  if (!isApplicable(kept.status)) throw notApplicable(kept.status);
  await queries.beginApplying(ctx.db, input.id, ctx.clock.now());
  // After a failure the file can be applied again.
  const release = () => queries.endWork(ctx.db, input.id, ["applying"], { status: "checked" });
  return { done: asLongWork(() => apply(ctx, operator, input.id).finally(release)) };
};

/**
 * `applying` is allowed, as that process may have died. If it lives, the catalogue's lock makes the second one fail.
 */
const applicable: readonly ImportStatus[] = ["checked", "applying"];
const isApplicable = (status: ImportStatus | undefined): boolean => status !== undefined && applicable.includes(status);

const apply = async (ctx: World, operator: OperatorCaller, id: number): Promise<void> => {
  const stale = await ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const kept = await queries.findContent(tx, id);
    if (!kept?.content || !isApplicable(kept.status)) throw notApplicable(kept?.status);
    const file = { id, text: kept.content, format: formatOf(kept.content) };
    const plan = await planImport({ ...ctx, db: tx }, file);
    const findings = findingsOf(plan);
    if (plan.errors.length > 0) {
      const refused = { status: "refused", ...findings, errors: keptOf(plan.errors) } as const;
      await queries.endWork(tx, id, applicable, refused);
      return true;
    }
    const progress = progressOf(ctx, id);
    const { changedRoutes } = await importCatalogue({ ...ctx, db: tx }, plan.source, ({ rowsDone }) =>
      progress.note(rowsDone),
    );
    await progress.settled();
    const now = ctx.clock.now();
    const applied = { status: "applied", content: null, endedAt: now, ...findings, changedRoutes } as const;
    if (!(await queries.endWork(tx, id, applicable, applied))) throw notApplicable("discarded");
    await recordAudit(tx, operator, "catalogue_import.applied", now, { ...factsOf(file), ...plan.counts });
    return false;
  });
  if (stale) throw conflict("The catalogue has changed, and the file does not fit it any more. Nothing was written");
};

/** Discards a file. Idempotent. @throws not_found @throws conflict if it has been applied */
export const discardImport = async (
  ctx: Pick<Context, "db" | "clock">,
  operator: OperatorCaller,
  input: { id: number },
): Promise<void> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const discarded = { status: "discarded", content: null, endedAt: now } as const;
    if (await queries.endWork(tx, input.id, ["checking", "checked", "refused", "applying"], discarded)) {
      await recordAudit(tx, operator, "catalogue_import.discarded", now, { import_id: input.id });
      return;
    }
    const kept = await queries.findContent(tx, input.id);
    if (!kept) throw notFound("Import");
    if (kept.status === "applied") throw notApplicable("applied");
  });
};

/** Discards files older than `unappliedImportDays`. @returns how many */
export const discardOldImports = (ctx: Pick<Context, "db" | "clock">): Promise<number> => {
  const now = ctx.clock.now();
  return queries.discardBegunBefore(ctx.db, new Date(now.getTime() - unappliedImportDays * millisecondsPerDay), now);
};

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────────

/** Newest first. @throws invalid for a cursor of another list */
export const listImports = async (
  ctx: Pick<Context, "db" | "clock">,
  _operator: OperatorCaller,
  page: PageRequest,
): Promise<Page<CatalogueImport>> => {
  const [before] = importCursor.read(page.cursor) ?? [null];
  const found = await queries.listImports(ctx.db, { before, limit: page.limit + 1 });
  const now = ctx.clock.now();
  return pageOf(
    found.map((row) => importOf(row, now)),
    page.limit,
    ({ id }) => importCursor.write([id]),
  );
};

const importCursor = cursorOf(z.tuple([cursorId]));

export type ReadImport = CatalogueImport & {
  /** The first errors, by line. */
  cellErrors: CellError[];
  /** The first rows as parsed. Empty once the text is erased. */
  firstRows: FileRow[];
};

const rowsShown = 8;

/** @throws not_found */
export const readImport = async (
  ctx: Pick<Context, "db" | "clock">,
  _operator: OperatorCaller,
  input: { id: number },
): Promise<ReadImport> => {
  const row = await queries.findImport(ctx.db, input.id);
  if (!row) throw notFound("Import");
  return { ...importOf(row, ctx.clock.now()), cellErrors: row.errors, firstRows: firstRowsOf(row.beginning) };
};

const firstRowsOf = (beginning: string | null): FileRow[] => {
  const format = beginning === null ? null : formatOfPart(beginning);
  if (beginning === null || format === null) return [];
  const rows: FileRow[] = [];
  for (const row of cellRows(beginning, format, [])) {
    rows.push(row);
    if (rows.length === rowsShown) break;
  }
  return rows;
};

/** Null: the first line is longer than the part. */
const formatOfPart = (beginning: string): FileFormat | null => {
  try {
    return formatOf(beginning);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
};

const importOf = (
  { heartbeatAt, rowsDone, rowsExpected, ...row }: Awaited<ReturnType<typeof queries.listImports>>[number],
  now: Date,
): CatalogueImport => {
  const { rows, newRecords, changedRecords, unchangedRecords, errorCount, status, kind, ...rest } = row;
  const isAlive = heartbeatAt !== null && now.getTime() - heartbeatAt.getTime() < heartbeatTimeoutSeconds * 1000;
  const task = status === "checking" || status === "applying" ? status : null;
  return {
    ...rest,
    kind: kind as ImportKind,
    // Applying is one transaction, so a file whose process died is unchanged and can be applied again.
    status: status === "applying" && !isAlive ? "checked" : status,
    counts: {
      rows,
      new: newRecords,
      changed: changedRecords,
      unchanged: unchangedRecords,
      errors: errorCount,
    },
    work: task && isAlive ? { task, rowsDone, rowsExpected } : null,
    interrupted: status === "checking" && !isAlive,
  };
};

// ── Work under way ──────────────────────────────────────────────────────────────────────────────────

/**
 * Writes progress updates one after the other, without blocking the work. They must be visible while the work's
 * transaction is open, so they use a connection of their own.
 */
const progressOf = (ctx: World, id: number) => {
  let noted: Promise<unknown> = Promise.resolve();
  return {
    note: (rowsDone: number): void => {
      const now = ctx.clock.now();
      noted = noted.then(() => asRequest(() => queries.noteProgress(ctx.db, id, rowsDone, now))).catch(logged(ctx, id));
    },
    /** Resolves when all updates are written. */
    settled: () => noted,
  };
};

const logged =
  ({ log }: Pick<Context, "log">, id: number) =>
  (error: unknown): void =>
    log.error("An import failed", { import_id: id }, error);

const linesIn = (text: string): number => text.split("\n").length;

const factsOf = ({ id, format }: { id: number; format: FileFormat }) => ({ import_id: id, kind: format.kind });

const notApplicable = (status: ImportStatus | undefined): Refusal => {
  if (status === "applied") return conflict("This file is applied already");
  if (status === "refused") return conflict("This file has errors. Correct them, and upload it again");
  if (status === "checking") return conflict("The check of this file has not ended. Wait for it, or upload it again");
  return conflict("This file was discarded. Upload it again");
};
