/** Checks the staged rows of a file against each other and the catalogue, and compares them with it. Writes nothing. */
import type { Tx } from "../../platform/db.server.ts";
import { dayOf } from "../dates.ts";
import type { FoundInFile } from "./findings.ts";
import type { ImportKind } from "./formats.ts";
import type { StagedFile } from "./kind.server.ts";
import type { Diff } from "./kind.ts";
import { stepsOf } from "./kinds.server.ts";
import type { Preview } from "./preview.ts";
import * as queries from "./staging-queries.server.ts";

export const stagedFile = (db: Tx, importId: number, rows: number, now: Date): StagedFile => ({
  db,
  importId,
  table: queries.tableOf(importId),
  rows,
  now,
});

/** Adds what it finds. */
export const checkStaged = async (kind: ImportKind, file: StagedFile, found: FoundInFile): Promise<void> => {
  const { key, resolved, checkStaged } = stepsOf[kind];
  if (resolved) await queries.replaceStaged(file.db, file.importId, resolved(file));
  if (key)
    found.errors.merge(await queries.findingsOf(file.db, queries.duplicatesOf(file, key.columns, key.reportedAt)));
  await checkStaged(file, async (severity, query) => {
    const list = severity === "error" ? found.errors : found.warnings;
    list.merge(await queries.findingsOf(file.db, query));
  });
};

/** What applying the rows would change. */
export const previewOf = async (
  kind: ImportKind,
  file: StagedFile,
): Promise<{ counts: Diff["counts"]; preview: Preview }> => {
  const { routes, diff } = stepsOf[kind];
  const { counts, changes, prices, routeIds } = await diff(file);
  const touched =
    counts.new + counts.changed > 0
      ? await queries.countTouched(file.db, routes?.(file) ?? queries.routesOf(routeIds ?? []), dayOf(file.now))
      : { routes: 0, subscriptions: 0 };
  return { counts, preview: { changes, prices, touched } };
};
