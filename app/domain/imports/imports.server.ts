/**
 * Files for the catalogue, brought by operators: looked at first, applied on a second word. Long work goes on after the
 * answer; how far it is stands with the import.
 */

import { z } from "zod";
import { asLongWork, asRequest } from "../../platform/time-budget.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { importCatalogue, lockCatalogue } from "../catalogue/import.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound, Refusal } from "../errors.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import { type CellError, cellRows, type FileFormat, type FileRow, formatOf, type ImportKind, textIn } from "./file.ts";
import { planImport } from "./plan.server.ts";
import { unappliedImportDays } from "./policy.ts";
import * as queries from "./queries.server.ts";

type World = Pick<Context, "db" | "clock" | "log">;

export type ImportStatus = "checked" | "refused" | "applied" | "discarded";

export type CatalogueImport = {
  id: number;
  fileName: string;
  kind: ImportKind;
  status: ImportStatus;
  counts: { rows: number; new: number; changed: number; unchanged: number; errors: number };
  /** What is being done with it; null: nothing. */
  work: { task: "checking" | "applying"; rowsDone: number; rowsExpected: number } | null;
  /** Its check has not come to an end: the process that did it is gone. */
  interrupted: boolean;
  /** Null: the account is gone. */
  operator: string | null;
  createdAt: Date;
  endedAt: Date | null;
};

/** Errors that are kept. */
export const errorsKept = 200;
/** Characters of a wrong value. */
const valueKept = 200;
const silentSeconds = 60;
const millisecondsPerDay = 86_400_000;

/** Numbers in `summary` that speak of work under way. */
const tasks = { checking: 1, applying: 2 } as const;

/**
 * Keeps a file and checks it. Nothing is written to the catalogue.
 *
 * @returns `done`: when it is checked; it does not fail
 * @throws invalid `file` or `kind` for what cannot be read at all
 */
export const checkFile = async (
  ctx: World,
  operator: OperatorCaller,
  input: { fileName: string; bytes: Uint8Array; kind?: ImportKind | undefined },
): Promise<{ id: number; done: Promise<void> }> => {
  const text = textIn(input.bytes);
  const format = formatOf(text, input.kind);
  const id = await queries.insertImport(ctx.db, {
    operatorAccountId: operator.account.id,
    fileName: input.fileName.slice(0, 200),
    kind: format.kind,
    // Until the check says otherwise.
    status: "refused",
    content: text,
    summary: { ...underWay(ctx, "checking"), rows_expected: linesIn(text) },
    createdAt: ctx.clock.now(),
  });
  return { id, done: asLongWork(() => check(ctx, operator, { id, text, format })).catch(logged(ctx, id)) };
};

const check = async (ctx: World, operator: OperatorCaller, file: { id: number; text: string; format: FileFormat }) => {
  const progress = progressOf(ctx, file.id, "checking");
  const plan = await planImport(ctx, file, progress.note);
  await progress.settled();
  const status = plan.errors.length === 0 ? "checked" : "refused";
  const summary = { rows: plan.rows, ...plan.counts, errors: plan.errors.length };
  await ctx.db.transaction(async (tx) => {
    const errors = keptOf(plan.errors);
    if (!(await queries.changeImport(tx, file.id, ["refused"], { status, summary, errors }))) return;
    await recordAudit(tx, operator, "catalogue_import.checked", ctx.clock.now(), { ...factsOf(file), status });
  });
};

/** The first of them, with as much of each value as is shown. */
const keptOf = (errors: readonly CellError[]): CellError[] =>
  errors.slice(0, errorsKept).map((error) => ({ ...error, value: error.value.slice(0, valueKept).toWellFormed() }));

/**
 * Applies a checked file: all of it, in one transaction, once. It is checked again against the catalogue as it then is.
 *
 * @returns `done`: when it is applied
 * @throws not_found
 * @throws conflict from `done` when it is not to be applied (any more), or does not fit the catalogue any more
 */
export const applyImport = async (
  ctx: World,
  operator: OperatorCaller,
  input: { id: number },
): Promise<{ done: Promise<void> }> => {
  const kept = await queries.findContent(ctx.db, input.id);
  if (!kept) throw notFound("Import");
  if (kept.status !== "checked") throw overAlready(kept.status);
  await queries.noteProgress(ctx.db, input.id, { ...underWay(ctx, "applying"), rows_done: 0 });
  return {
    done: asLongWork(() =>
      apply(ctx, operator, input.id).finally(() => queries.noteProgress(ctx.db, input.id, { task: 0 })),
    ),
  };
};

const apply = async (ctx: World, operator: OperatorCaller, id: number): Promise<void> => {
  const stale = await ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx);
    const kept = await queries.findContent(tx, id);
    if (kept?.status !== "checked" || kept.content === null) throw overAlready(kept?.status);
    const file = { id, text: kept.content, format: formatOf(kept.content) };
    const plan = await planImport({ ...ctx, db: tx }, file);
    const numbers = { rows: plan.rows, ...plan.counts, errors: plan.errors.length };
    if (plan.errors.length > 0) {
      const change = { status: "refused" as const, summary: numbers, errors: keptOf(plan.errors) };
      await queries.changeImport(tx, id, ["checked"], change);
      return true;
    }
    const progress = progressOf(ctx, id, "applying");
    const { changedRoutes } = await importCatalogue({ ...ctx, db: tx }, plan.source, ({ rowsDone }) =>
      progress.note(rowsDone),
    );
    await progress.settled();
    const now = ctx.clock.now();
    const summary = { ...numbers, changed_routes: changedRoutes };
    const applied = { status: "applied" as const, content: null, endedAt: now, summary };
    if (!(await queries.changeImport(tx, id, ["checked"], applied))) throw overAlready("discarded");
    await recordAudit(tx, operator, "catalogue_import.applied", now, { ...factsOf(file), ...plan.counts });
    return false;
  });
  if (stale) throw conflict("The catalogue has changed, and the file does not fit it any more. Nothing was written");
};

/** Puts a file away unapplied. What is put away stays so. @throws not_found @throws conflict once it is applied */
export const discardImport = async (
  ctx: Pick<Context, "db" | "clock">,
  operator: OperatorCaller,
  input: { id: number },
): Promise<void> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const ended = { status: "discarded" as const, content: null, endedAt: now };
    if (await queries.changeImport(tx, input.id, ["checked", "refused"], ended)) {
      await recordAudit(tx, operator, "catalogue_import.discarded", now, { import_id: input.id });
      return;
    }
    const kept = await queries.findContent(tx, input.id);
    if (!kept) throw notFound("Import");
    if (kept.status === "applied") throw overAlready("applied");
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
  /** The first of them, by line. */
  cellErrors: CellError[];
  /** As they are read; none once the text is erased. */
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

/** Null: the part ends within the first line. */
const formatOfPart = (beginning: string): FileFormat | null => {
  try {
    return formatOf(beginning);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
};

const importOf = (row: Awaited<ReturnType<typeof queries.listImports>>[number], now: Date): CatalogueImport => {
  const { summary, kind, ...rest } = row;
  const number = (name: string) => summary[name] ?? 0;
  const task = number("task");
  const isAlive = now.getTime() - number("beat_at") < silentSeconds * 1000;
  const isOver = rest.status === "applied" || rest.status === "discarded";
  return {
    ...rest,
    kind: kind as ImportKind,
    counts: {
      rows: number("rows"),
      new: number("new"),
      changed: number("changed"),
      unchanged: number("unchanged"),
      errors: number("errors"),
    },
    work:
      task > 0 && isAlive && !isOver
        ? {
            task: task === tasks.checking ? "checking" : "applying",
            rowsDone: number("rows_done"),
            rowsExpected: number("rows_expected") || number("rows"),
          }
        : null,
    interrupted: task === tasks.checking && !isAlive && !isOver,
  };
};

// ── Work under way ──────────────────────────────────────────────────────────────────────────────────

const underWay = ({ clock }: Pick<Context, "clock">, task: keyof typeof tasks) => ({
  task: tasks[task],
  beat_at: clock.now().getTime(),
});

/**
 * Notes how far the work is, one note after the other, without the work waiting for them. They are read while its
 * transaction is open, so they are written beside it, on a request's connection.
 */
const progressOf = (ctx: World, id: number, task: keyof typeof tasks) => {
  let noted: Promise<unknown> = Promise.resolve();
  return {
    note: (rowsDone: number): void => {
      const numbers = { ...underWay(ctx, task), rows_done: rowsDone };
      noted = noted.then(() => asRequest(() => queries.noteProgress(ctx.db, id, numbers))).catch(logged(ctx, id));
    },
    /** When the last note is written. */
    settled: () => noted,
  };
};

const logged =
  ({ log }: Pick<Context, "log">, id: number) =>
  (error: unknown): void =>
    log.error("An import failed", { import_id: id }, error);

const linesIn = (text: string): number => text.split("\n").length;

const factsOf = ({ id, format }: { id: number; format: FileFormat }) => ({ import_id: id, kind: format.kind });

const overAlready = (status: ImportStatus | undefined): Refusal => {
  if (status === "applied") return conflict("This file is applied already");
  if (status === "refused") return conflict("This file has errors. Correct them, and upload it again");
  return conflict("This file was discarded. Upload it again");
};
