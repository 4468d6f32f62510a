/**
 * Imports of catalogue files. A file is read into a staging table and checked; it is applied when the operator confirms.
 * Long work continues after the response; its progress is stored with the import.
 */

import { z } from "zod";
import type { Db } from "../../platform/db.server.ts";
import { asLongWork, asRequest } from "../../platform/time-budget.server.ts";
import { recordCatalogueAudit } from "../accounts/audit.server.ts";
import type { CatalogueEditor } from "../accounts/caller.ts";
import { listExchangeRates } from "../catalogue/exchange-rates.server.ts";
import { analyzeCatalogue, catalogueRevision, changeCatalogue, lockCatalogue } from "../catalogue/import.server.ts";
import type { Context } from "../context.ts";
import { dayOf, millisecondsPerDay } from "../dates.ts";
import { conflict, notFound, type Refusal } from "../errors.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import { checkStaged, previewOf, stagedFile } from "./check-staged.server.ts";
import type { importStatuses } from "./enums.ts";
import { type OpenFile, openFile } from "./file.ts";
import type { Finding } from "./finding.ts";
import { type FoundInFile, noFindings } from "./findings.ts";
import { formats, type ImportKind } from "./formats.ts";
import type { Diff } from "./kind.ts";
import { stepsOf } from "./kinds.server.ts";
import { unappliedImportDays } from "./policy.ts";
import type { FirstRow, Preview } from "./preview.ts";
import * as queries from "./queries.server.ts";
import { readFile } from "./read-file.server.ts";
import { stagingWriter } from "./staging.server.ts";
import * as staging from "./staging-queries.server.ts";

type World = Pick<Context, "db" | "clock" | "log">;

export type ImportStatus = (typeof importStatuses)[number];

export type CatalogueImport = {
  id: number;
  fileName: string;
  kind: ImportKind;
  status: ImportStatus;
  counts: { rows: number; new: number; changed: number; unchanged: number; errors: number; warnings: number };
  /** How many routes got a new version. Null until the file is applied. */
  changedRoutes: number | null;
  /** The work in progress. Null: none. `rowsExpected` is 0 while the number is not known. */
  work: { task: "checking" | "applying"; rowsDone: number; rowsExpected: number } | null;
  /** The check did not finish because its process died, or the upload broke off. */
  interrupted: boolean;
  /** Null: the account was deleted. */
  operator: string | null;
  createdAt: Date;
  endedAt: Date | null;
};

const heartbeatSeconds = 10;
const heartbeatTimeoutSeconds = 60;

// ── Checking ────────────────────────────────────────────────────────────────────────────────────────

type FileToCheck = {
  fileName: string;
  content: AsyncIterable<Uint8Array>;
  kind?: ImportKind | undefined;
  /** Called from time to time while the file is read. */
  onRead?: (rowsDone: number) => void;
};

/**
 * Reads a file as it arrives, and checks it. Nothing is written to the catalogue.
 *
 * @returns when the file is read. `done` resolves when it is checked, and never rejects
 * @throws invalid `file` or `kind` for an unreadable file
 * @throws conflict if the import is discarded meanwhile
 */
export const checkFile = async (
  ctx: World,
  by: CatalogueEditor,
  input: FileToCheck,
): Promise<{ id: number; done: Promise<void> }> => {
  const file = await openFile(input.content, input.kind);
  const { kind } = file.format;
  const now = ctx.clock.now();
  const id = await asLongWork(() =>
    ctx.db.transaction(async (tx) => {
      const id = await queries.insertImport(tx, {
        ...("machineUser" in by ? { machineUser: by.machineUser } : { operatorAccountId: by.account.id }),
        fileName: input.fileName.slice(0, 200).toWellFormed(),
        kind,
        status: "checking",
        heartbeatAt: now,
        createdAt: now,
      });
      await staging.createStaging(tx, id, formats[kind]);
      return id;
    }),
  );
  const work = workOn(ctx, id);
  const found = noFindings();
  try {
    const read = await asLongWork(() =>
      stage(
        ctx,
        id,
        file,
        found,
        (rows) => {
          work.note(rows);
          input.onRead?.(rows);
        },
        work,
      ),
    );
    await work.settled();
    const done = asLongWork(() => check(ctx, by, { id, kind, ...read }, found, work));
    return { id, done: done.catch(logged(ctx, id)).finally(work.end) };
  } catch (error) {
    work.end();
    await asLongWork(() => giveUp(ctx, id)).catch(logged(ctx, id));
    throw error;
  }
};

type ReadRows = { rows: number; stagedRows: number; firstRows: FirstRow[] };

/** Parses the rows and writes the valid ones into the staging table. */
const stage = async (
  ctx: World,
  id: number,
  file: OpenFile,
  found: FoundInFile,
  onRead: (rowsDone: number) => void,
  work: Pick<Work, "isEnded">,
): Promise<ReadRows> => {
  const writer = stagingWriter(ctx.db as Db, id, file.format.kind);
  const world = { now: ctx.clock.now(), exchangeRates: await listExchangeRates(ctx.db) };
  const firstRows: FirstRow[] = [];
  let rows = 0;
  let stagedRows = 0;
  for await (const portion of readFile(file, world)) {
    await writer.write(portion.lines);
    rows += portion.rows;
    stagedRows += portion.stagedRows;
    firstRows.push(...portion.firstRows);
    found.errors.merge(portion.errors);
    found.warnings.merge(portion.warnings);
    onRead(rows);
    if (work.isEnded()) throw conflict("This file was discarded. Upload it again");
  }
  await writer.finish();
  if (rows === 0) found.errors.add(noRows);
  return { rows, stagedRows, firstRows };
};

const noRows: Finding = {
  row: 1,
  column: "",
  code: "no_rows",
  value: "",
  message: "The file has no lines after the first one",
};

const check = async (
  ctx: World,
  by: CatalogueEditor,
  { id, kind, firstRows, ...read }: ReadRows & { id: number; kind: ImportKind },
  found: FoundInFile,
  work: Work,
): Promise<void> => {
  await staging.analyzeStaging(ctx.db, id);
  // Before the check reads anything, so that a change meanwhile makes it another revision.
  const revision = await catalogueRevision(ctx.db);
  const findings = await ctx.db.transaction(async (tx) => {
    await staging.allowBigSorts(tx);
    const file = stagedFile(tx, id, read.stagedRows, ctx.clock.now());
    await checkStaged(kind, file, found);
    return found.errors.count === 0 ? previewOf(kind, file) : null;
  });
  await work.settled();
  await ctx.db.transaction(async (tx) => {
    const isValid = found.errors.count === 0;
    const status = isValid ? "checked" : "refused";
    const outcome = {
      status,
      ...read,
      firstRows,
      catalogueRevision: revision,
      ...findingsOf(found),
      ...(findings ? { ...countsOf(findings.counts), preview: findings.preview } : {}),
    } as const;
    if (!(await queries.endWork(tx, id, ["checking"], outcome))) return;
    if (!isValid) await staging.dropStaging(tx, id);
    await recordCatalogueAudit(tx, by, "catalogue_import.checked", ctx.clock.now(), { import_id: id, kind, status });
  });
};

const findingsOf = ({ errors, warnings }: FoundInFile) => ({
  errors: errors.all().first,
  errorCount: errors.count,
  warnings: warnings.all().first,
  warningCount: warnings.count,
});

const countsOf = (counts: Diff["counts"]) => ({
  newRecords: counts.new,
  changedRecords: counts.changed,
  unchangedRecords: counts.unchanged,
});

/** The upload was interrupted, or the check failed: shown as interrupted immediately. */
const giveUp = async (ctx: World, id: number): Promise<void> => {
  await ctx.db.transaction(async (tx) => {
    await queries.noteProgress(tx, id, { heartbeatAt: new Date(0) });
    await staging.dropStaging(tx, id);
  });
};

// ── Applying ────────────────────────────────────────────────────────────────────────────────────────

/**
 * Applies a checked file once, in one transaction. If the catalogue has changed since the check, or the day, the file is first
 * checked again.
 *
 * @returns `done` resolves when the file is applied
 * @throws not_found
 * @throws conflict if the file cannot be applied; from `done` also if it is no longer valid for the catalogue
 */
export const applyImport = async (
  ctx: World,
  by: CatalogueEditor,
  input: { id: number; onWritten?: (rowsDone: number) => void },
): Promise<{ done: Promise<void> }> => {
  const kept = await queries.findImport(ctx.db, input.id);
  if (!kept) throw notFound("Import");
  if (!isApplicable(kept.status)) throw notApplicable(kept.status);
  await queries.beginApplying(ctx.db, input.id, ctx.clock.now());
  const work = workOn(ctx, input.id);
  const release = async () => {
    work.end();
    await work.settled();
    // After a failure the file can be applied again.
    await queries.endWork(ctx.db, input.id, ["applying"], { status: "checked" });
  };
  return { done: asLongWork(() => apply(ctx, by, input, work).finally(release)) };
};

/**
 * `applying` is allowed, as that process may have died. If it lives, the catalogue's lock makes the second one fail.
 */
const applicable: readonly ImportStatus[] = ["checked", "applying"];
const isApplicable = (status: ImportStatus | undefined): boolean => status !== undefined && applicable.includes(status);

const apply = async (
  ctx: World,
  by: CatalogueEditor,
  { id, onWritten }: { id: number; onWritten?: (rowsDone: number) => void },
  work: Work,
): Promise<void> => {
  const failure = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const revision = await lockCatalogue(tx, { now, source: "import" });
    const kept = await queries.findImport(tx, id);
    if (!kept || !isApplicable(kept.status)) throw notApplicable(kept?.status);
    const kind = kept.kind as ImportKind;
    if ((await staging.countStaged(tx, id)) !== kept.stagedRows) {
      await queries.endWork(tx, id, applicable, { status: "discarded", endedAt: now, firstRows: [] });
      return "The rows of this file were lost when the database crashed. Upload the file again";
    }
    await staging.allowBigSorts(tx);
    const file = stagedFile(tx, id, kept.stagedRows, now);
    const isStillChecked = kept.catalogueRevision === revision && dayOf(kept.createdAt) === dayOf(now);
    const found = noFindings();
    if (!isStillChecked) await checkStaged(kind, file, found);
    if (found.errors.count > 0) {
      await queries.endWork(tx, id, applicable, { status: "refused", ...findingsOf(found) });
      await staging.dropStaging(tx, id);
      return "The catalogue has changed, so the file is no longer valid. Nothing was written";
    }
    const steps = stepsOf[kind];
    let counts: Diff["counts"] | undefined;
    if (isStillChecked) {
      counts = { new: kept.newRecords, changed: kept.changedRecords, unchanged: kept.unchangedRecords };
    }
    if (!isStillChecked && !steps.countsWrites) counts = (await steps.diff(file)).counts;
    const changedRoutes = await changeCatalogue(tx, { now, source: "import" }, async () => {
      const written = await steps.apply(file, (rows) => {
        work.note(rows);
        onWritten?.(rows);
      });
      counts = written ?? counts;
    });
    if (!counts) throw new Error(`The import of ${kind} did not count what it wrote`);
    work.end();
    await work.settled();
    const applied: queries.Outcome = {
      status: "applied",
      firstRows: [],
      endedAt: now,
      ...countsOf(counts),
      changedRoutes,
    };
    if (!(await queries.endWork(tx, id, applicable, applied))) throw notApplicable("discarded");
    await staging.dropStaging(tx, id);
    await recordCatalogueAudit(tx, by, "catalogue_import.applied", now, { import_id: id, kind, ...counts });
    return null;
  });
  if (failure !== null) throw conflict(failure);
  await analyzeCatalogue(ctx.db);
};

/** Discards a file. Idempotent. @throws not_found @throws conflict if it has been applied */
export const discardImport = async (
  ctx: Pick<Context, "db" | "clock">,
  by: CatalogueEditor,
  input: { id: number },
): Promise<void> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const discarded: queries.Outcome = { status: "discarded", firstRows: [], endedAt: now };
    if (await queries.endWork(tx, input.id, ["checking", "checked", "refused", "applying"], discarded)) {
      await recordCatalogueAudit(tx, by, "catalogue_import.discarded", now, { import_id: input.id });
      return;
    }
    const kept = await queries.findImport(tx, input.id);
    if (!kept) throw notFound("Import");
    if (kept.status === "applied") throw notApplicable("applied");
  });
  // Not in the transaction: a check that is under way may still hold the table.
  await asLongWork(() => staging.dropStaging(ctx.db, input.id));
};

/** Discards files older than `unappliedImportDays`, and drops rows that nobody needs. @returns how many files */
export const discardOldImports = async (ctx: Pick<Context, "db" | "clock">): Promise<number> => {
  const now = ctx.clock.now();
  const before = new Date(now.getTime() - unappliedImportDays * millisecondsPerDay);
  const discarded = await queries.discardBegunBefore(ctx.db, before, now);
  await staging.dropUnusedStaging(ctx.db, new Date(now.getTime() - heartbeatTimeoutSeconds * 1000));
  return discarded;
};

// ── Reading ─────────────────────────────────────────────────────────────────────────────────────────

/** Newest first. @throws invalid for a cursor of another list */
export const listImports = async (
  ctx: Pick<Context, "db" | "clock">,
  _by: CatalogueEditor,
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
  /** The first errors, by row. */
  errors: Finding[];
  warnings: Finding[];
  /** Null: the file has errors, or was checked before previews were kept. */
  preview: Preview | null;
  /** The first rows as read. Empty once the file is applied or discarded. */
  firstRows: FirstRow[];
};

/** @throws not_found */
export const readImport = async (
  ctx: Pick<Context, "db" | "clock">,
  _by: CatalogueEditor,
  input: { id: number },
): Promise<ReadImport> => {
  const row = await queries.findImport(ctx.db, input.id);
  if (!row) throw notFound("Import");
  const { errors, warnings, preview, firstRows, stagedRows: _, ...rest } = row;
  return { ...importOf(rest, ctx.clock.now()), errors, warnings, preview, firstRows };
};

const importOf = (
  { heartbeatAt, rowsDone, rowsExpected, ...row }: Awaited<ReturnType<typeof queries.listImports>>[number],
  now: Date,
): CatalogueImport => {
  const { rows, newRecords, changedRecords, unchangedRecords, errorCount, warningCount, status, kind, ...rest } = row;
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
      warnings: warningCount,
    },
    work: task && isAlive ? { task, rowsDone, rowsExpected } : null,
    interrupted: status === "checking" && !isAlive,
  };
};

// ── Work under way ──────────────────────────────────────────────────────────────────────────────────

type Work = ReturnType<typeof workOn>;

/**
 * Reports that work is alive, and its progress, without blocking it. Both must be visible while the work's transaction is
 * open, so they use their own connection. The heartbeat continues during a long statement.
 */
const workOn = (ctx: World, id: number) => {
  let rowsDone = 0;
  let isEnded = false;
  let noted: Promise<unknown> = Promise.resolve();
  const beat = () => {
    const progress = { rowsDone, heartbeatAt: ctx.clock.now() };
    noted = noted
      .then(() => asRequest(() => queries.noteProgress(ctx.db, id, progress)))
      .then((goesOn) => {
        if (!goesOn) isEnded = true;
      })
      .catch(logged(ctx, id));
  };
  const timer = setInterval(beat, heartbeatSeconds * 1000).unref();
  return {
    note: (rows: number): void => {
      rowsDone = rows;
      beat();
    },
    /** Whether somebody else has ended it: the import was discarded. */
    isEnded: () => isEnded,
    end: () => clearInterval(timer),
    /** Resolves when all updates are written. */
    settled: () => noted,
  };
};

const logged =
  ({ log }: Pick<Context, "log">, id: number) =>
  (error: unknown): void =>
    log.error("An import failed", { import_id: id }, error);

const notApplicable = (status: ImportStatus | undefined): Refusal => {
  if (status === "applied") return conflict("This file is already applied");
  if (status === "refused") return conflict("This file has errors. Correct them, and upload it again");
  if (status === "checking") return conflict("This file is still being checked. Wait, or upload it again");
  return conflict("This file was discarded. Upload it again");
};
