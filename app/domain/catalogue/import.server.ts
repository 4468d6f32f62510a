/**
 * Imports records into the catalogue, all or none. Records are identified by their codes, so repeating an import
 * changes nothing, and importing changed records updates only these.
 */
import { setImmediate as pause } from "node:timers/promises";
import type { Tx } from "../../platform/db.server.ts";
import { asLongWork } from "../../platform/time-budget.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { Refusal } from "../errors.ts";
import { counted } from "../wording.ts";
import {
  analyzeCatalogue,
  type ChangeSource,
  canCopyReports,
  catalogueRevision,
  copyReports,
  holdsRoutesAndReport,
  knownCodes,
  liftReportKeys,
  lockCatalogue,
  markChangedRoutes,
  noteCopiedReports,
  periodsByCode,
  prepareImport,
  reportEncoder,
  writeCarriers,
  writePorts,
  writeRegions,
  writeReports,
  writeRouteGroups,
  writeRoutes,
  writeTradeLanes,
} from "./import-queries.server.ts";
import {
  type CatalogueSource,
  checkCatalogue,
  checkReferences,
  checkReports,
  type ImportedReport,
  type KnownPeriod,
  type ReportSource,
  type RowError,
  type SourceRow,
  type SourceTable,
} from "./import-records.ts";
import { recordPrices } from "./price-history.server.ts";

export { analyzeCatalogue, catalogueRevision, lockCatalogue };

export type ImportProgress = { step: "catalogue" | "reports" | "statistics"; rowsDone: number; rowsExpected: number };

/** How many rows the source had, and how many routes have changed. */
export type ImportSummary = { routes: number; changedRoutes: number; reports: number };

const routesPerStatement = 500;
const reportsPerStatement = 5_000;
/** Small enough that most objects of a chunk are garbage before they are old. */
const reportsPerChunk = 1_000;
const rowsPerPause = 250;
const errorsShown = 100;

/**
 * Validates and writes a catalogue in one transaction.
 *
 * @throws invalid for the first 100 invalid rows; `path` is `file:line:column`
 */
export const importCatalogue = async (
  ctx: Pick<Context, "db" | "clock">,
  source: CatalogueSource,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportSummary> => asLongWork(() => write(ctx, source, onProgress));

const write = async (
  ctx: Pick<Context, "db" | "clock">,
  source: CatalogueSource,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportSummary> => {
  const now = ctx.clock.now();
  const rowsExpected = source.reports?.expectedRows ?? 0;
  const summary = await ctx.db.transaction(async (tx) => {
    let written = { routes: 0, reports: 0 };
    const changedRoutes = await changeCatalogue(tx, { now, source: "seed" }, async () => {
      written = await writeCatalogue(tx, source, now, onProgress);
    });
    return { ...written, changedRoutes };
  });
  const rowsDone = summary.routes + summary.reports;
  onProgress({ step: "statistics", rowsDone, rowsExpected: Math.max(rowsExpected, rowsDone) });
  await analyzeCatalogue(ctx.db);
  return summary;
};

/**
 * Runs work that changes the catalogue and notes the changed routes in `import_changes`. Gives them their new version, and
 * records prices. One after the other, until the transaction ends.
 *
 * @returns how many routes have changed
 */
export const changeCatalogue = async (
  tx: Tx,
  change: { now: Date; source: ChangeSource },
  work: () => Promise<void>,
): Promise<number> => {
  await lockCatalogue(tx, change);
  await prepareImport(tx);
  await work();
  const changedRoutes = await markChangedRoutes(tx, change.now);
  await recordPrices(tx, change.now);
  return changedRoutes;
};

/**
 * Validates and writes records, as the work of `changeCatalogue`.
 *
 * @throws invalid as `importCatalogue`
 */
export const writeCatalogue = async (
  tx: Tx,
  source: CatalogueSource,
  now: Date,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<{ routes: number; reports: number }> => {
  const { catalogue, errors } = checkCatalogue(source);
  refuseIfAny(errors);
  const records = <Row>({ rows }: { rows: { record: Row }[] }) => rows.map(({ record }) => record);
  const routes = records(catalogue.routes);
  const rowsExpected = routes.length + (source.reports?.expectedRows ?? 0);
  refuseIfAny(checkReferences(catalogue, await knownCodes(tx)));
  await writeRegions(tx, records(catalogue.regions));
  await writePorts(tx, records(catalogue.ports));
  await writeCarriers(tx, records(catalogue.carriers));
  await writeTradeLanes(tx, records(catalogue.tradeLanes), dayOf(now));
  await writeRouteGroups(tx, records(catalogue.routeGroups));

  let rowsDone = 0;
  for (const chunk of chunksOf(routes, routesPerStatement)) {
    await writeRoutes(tx, chunk, now);
    rowsDone += chunk.length;
    onProgress({ step: "catalogue", rowsDone, rowsExpected });
  }

  const reports = await writeAllReports(tx, source.reports, now, (done) =>
    onProgress({ step: "reports", rowsDone: rowsDone + done, rowsExpected }),
  );
  return { routes: routes.length, reports };
};

/** @returns how many */
const writeAllReports = async (
  tx: Tx,
  source: ReportSource | undefined,
  now: Date,
  onProgress: (written: number) => void,
): Promise<number> => {
  if (source === undefined) return 0;
  const periods = await periodsByCode(tx);
  if ("generated" in source && (await canCopyReports(tx))) {
    return copyAllReports(tx, source.generated, periods, now, onProgress);
  }
  const { file, rows } = "generated" in source ? asTable(source.generated) : source;
  let written = 0;
  // PostgreSQL writes one chunk while the next one is made ready.
  let writing: Promise<void> = Promise.resolve();
  for await (const chunk of pausing(rows, reportsPerStatement)) {
    const { reports, errors } = checkReports({ file, rows: chunk }, periods);
    refuseIfAny(errors);
    await writing;
    writing = writeReports(tx, reports);
    // Whoever waits for it gets the error.
    writing.catch(() => {});
    written += chunk.length;
    onProgress(written);
  }
  await writing;
  return written;
};

/** All in one COPY, so that PostgreSQL never waits. @returns how many */
const copyAllReports = async (
  tx: Tx,
  generated: Iterable<ImportedReport>,
  periods: ReadonlyMap<string, KnownPeriod>,
  now: Date,
  onProgress: (written: number) => void,
): Promise<number> => {
  let written = 0;
  const encode = reportEncoder(periods, now);
  async function* encoded() {
    for (const chunk of chunksOf(generated, reportsPerChunk)) {
      yield encode(chunk);
      written += chunk.length;
      onProgress(written);
    }
  }
  const restoreKeys = await liftReportKeys(tx);
  await copyReports(tx, encoded());
  await restoreKeys();
  await noteCopiedReports(tx);
  return written;
};

const asTable = (reports: Iterable<ImportedReport>): SourceTable => ({
  file: "generated reports",
  rows: numbered(reports),
});

function* numbered(values: Iterable<unknown>): Generator<SourceRow> {
  let line = 0;
  for (const each of values) yield { line: ++line, values: each };
}

/** Whether all these routes exist, and a report from `newestReportAt` or later. */
export const catalogueIsImported = (
  ctx: Pick<Context, "db">,
  expected: { routeCodes: readonly string[]; newestReportAt: string },
): Promise<boolean> => holdsRoutesAndReport(ctx.db, expected.routeCodes, expected.newestReportAt);

const refuseIfAny = (errors: readonly RowError[]): void => {
  if (errors.length === 0) return;
  const fields = errors
    .slice(0, errorsShown)
    .map(({ file, line, column, message }) => ({ path: `${file}:${line}:${column}`, message }));
  throw new Refusal("invalid", `Nothing was imported: ${counted(errors.length, "wrong value")}`, { fields });
};

/** Chunks of rows that take long to generate. Pauses meanwhile, so that the driver can send what is being written. */
async function* pausing<Row>(rows: Iterable<Row>, size: number): AsyncGenerator<Row[]> {
  let chunk: Row[] = [];
  for (const part of chunksOf(rows, rowsPerPause)) {
    chunk.push(...part);
    await pause();
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function* chunksOf<Row>(rows: Iterable<Row>, size: number): Generator<Row[]> {
  let chunk: Row[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
