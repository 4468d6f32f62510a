/** What the database does with the rows of a routes file. Sea routes are computed here, so it works on a portion at a time. */
import { setImmediate as pause } from "node:timers/promises";
import type { Tx } from "../../platform/db.server.ts";
import type { ImportedRoute } from "../catalogue/import-records.ts";
import { upsertCarriers, writeRoutes } from "../catalogue/staged.server.ts";
import { dayOf, isoInstant } from "../dates.ts";
import type { ImportSteps, StagedFile } from "./kind.server.ts";
import { changesShown, type Diff } from "./kind.ts";
import type { RecordChange } from "./preview.ts";
import type { KnownCatalogue, RouteFinding, RouteLine } from "./routes.ts";
import { checkRoute, routeRecord, shownFields } from "./routes.ts";
import * as queries from "./routes-queries.server.ts";
import { seaRouteFinder } from "./sea-routes.server.ts";

/** Bounds the memory for the paths of a portion, and the paths kept for reuse. */
const routesAtOnce = 500;

export const routeSteps: ImportSteps = {
  key: null,

  async checkStaged(file, find) {
    const known = await queries.knownCatalogue(file.db);
    for await (const portion of portions(file)) {
      const findings = portion.flatMap((lines) => checkRoute(lines, known));
      if (findings.length > 0) await find("error", queries.findings(findings));
    }
  },

  async diff(file) {
    const counts = { new: 0, changed: 0, unchanged: 0 };
    const added: RecordChange[] = [];
    const changed: RecordChange[] = [];
    for await (const records of comparedPortions(file)) {
      for (const { before, after } of records) {
        const outcome = before === null ? "new" : sameRecord(before, after) ? "unchanged" : "changed";
        counts[outcome]++;
        const shown = { new: added, changed, unchanged: null }[outcome];
        if (shown && shown.length < changesShown) shown.push(changeOf(before, after));
      }
    }
    return { counts, changes: [...changed, ...added].slice(0, changesShown), prices: [] } satisfies Diff;
  },

  routes: queries.concernedRoutes,

  async apply(file, onProgress) {
    await upsertCarriers(file.db, queries.newCarriers(file));
    let rowsDone = 0;
    for await (const records of comparedPortions(file)) {
      const changed = records.filter(({ before, after }) => before === null || !sameRecord(before, after));
      await writeRoutes(
        file.db,
        changed.map(({ after }) => after),
        file.now,
      );
      rowsDone += records.reduce((sum, { lines }) => sum + lines.length, 0);
      onProgress(rowsDone);
    }
    return undefined;
  },
};

/** Checks the lines of one route, and makes its record. The record is null if there are findings. */
export const planRoute = async (
  { db, now }: { db: Tx; now: Date },
  lines: Lines,
): Promise<{ findings: RouteFinding[]; record: ImportedRoute | null }> => {
  const known = await queries.knownCatalogue(db);
  const findings = checkRoute(lines, known);
  if (findings.length > 0) return { findings, record: null };
  const before = (await queries.currentRoutes(db, [lines[0].code])).get(lines[0].code) ?? null;
  return { findings, record: routeRecord(lines, before, await worldAt(now, known)) };
};

/** A route in the form of an import record. Null: there is none. */
export const currentRoute = async (db: Tx, code: string): Promise<ImportedRoute | null> =>
  (await queries.currentRoutes(db, [code])).get(code) ?? null;

// ── Portions ────────────────────────────────────────────────────────────────────────────────────────

type Lines = readonly [RouteLine, ...RouteLine[]];
type Compared = { lines: Lines; before: ImportedRoute | null; after: ImportedRoute };

const worldAt = async (now: Date, known: KnownCatalogue) => ({
  known,
  wayOf: await seaRouteFinder(),
  today: dayOf(now),
  now: isoInstant(now),
});

/** The lines of each route, some routes at a time. */
async function* portions({ db, table }: StagedFile): AsyncGenerator<Lines[]> {
  for (let after = ""; ; ) {
    const routes = new Map<string, Lines>();
    for (const line of await queries.linesAfter(db, table, { code: after, routes: routesAtOnce })) {
      const before = routes.get(line.code);
      routes.set(line.code, before ? [...before, line] : [line]);
      after = line.code;
    }
    if (routes.size === 0) return;
    yield [...routes.values()];
  }
}

async function* comparedPortions(file: StagedFile): AsyncGenerator<Compared[]> {
  const known = await queries.knownCatalogue(file.db);
  for await (const portion of portions(file)) {
    const current = await queries.currentRoutes(
      file.db,
      portion.map(([{ code }]) => code),
    );
    const world = await worldAt(file.now, known);
    const records: Compared[] = [];
    for (const lines of portion) {
      const before = current.get(lines[0].code) ?? null;
      records.push({ lines, before, after: routeRecord(lines, before, world) });
      // Finding a path takes some milliseconds. Requests are served between two of them.
      await pause();
    }
    yield records;
  }
}

// ── Comparison ──────────────────────────────────────────────────────────────────────────────────────

/** Whether two records are equal, whatever the order of their properties. */
const sameRecord = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

const changeOf = (before: ImportedRoute | null, after: ImportedRoute): RecordChange => {
  const old = before === null ? null : shownFields(before);
  const fields = shownFields(after);
  return {
    key: after.code,
    fields: [...new Set([...Object.keys(old ?? {}), ...Object.keys(fields)])]
      .map((name) => ({ name, before: old?.[name] ?? null, after: fields[name] ?? null }))
      .filter((field) => field.before !== field.after),
  };
};
