import type { Day } from "../dates.ts";
import type { CatalogueReader } from "./as-of.server.ts";
import { type RouteSummary, withLevelsAndPeriods } from "./browse.ts";
import { type DataAge, dataAge } from "./freshness.ts";
import * as queries from "./queries.server.ts";
import type { IndexedCatalogue, ListedRoute } from "./search-index.server.ts";

/** How many a catalogue keeps; then it drops all. A route takes about 2 KB. */
const mostKept = 5_000;

/**
 * The public data of these routes, in the given order. Unknown ids are left out. A route is the same object as before while
 * nothing about it has changed.
 */
export const listedRoutes = async (
  ctx: CatalogueReader,
  { listed: kept, today }: Pick<IndexedCatalogue, "listed" | "today">,
  ids: number[],
): Promise<RouteSummary[]> => {
  const missing = ids.filter((id) => !kept.has(id));
  const known = ids.flatMap((id) => kept.get(id) ?? []);
  const read = missing.length === 0 ? [] : await readListed(ctx, missing, today);
  if (kept.size + read.length > mostKept) kept.clear();
  for (const route of read) kept.set(route.id, route);

  const listed = new Map([...known, ...read].map((route) => [route.id, route]));
  const routes = ids.flatMap((id) => listed.get(id) ?? []);
  const periodIds = routes.flatMap(({ periods }) => periods.map(({ id }) => id));
  const ages = new Map((await queries.agesOf(ctx.db, periodIds)).map((age) => [age.id, age]));
  const now = ctx.clock.now();
  return routes.map((route) => {
    const current = route.periods.map((period) => {
      const { dataAsOf = null, maxAgeMinutes = 0 } = ages.get(period.id) ?? {};
      return dataAge({ startsOn: period.startsOn, endsOn: period.endsOn, dataAsOf, maxAgeMinutes }, now);
    });
    return withAges(route, current);
  });
};

const withAges = (route: ListedRoute, ages: readonly DataAge[]): RouteSummary => {
  const last = latest.get(route);
  if (last?.periods.every((period, index) => isSameAge(period, ages[index] as DataAge))) return last;
  const summary = {
    ...route,
    periods: route.periods.map((period, index) => ({ ...period, ...(ages[index] as DataAge) })),
  };
  latest.set(route, summary);
  return summary;
};
const latest = new WeakMap<ListedRoute, RouteSummary>();

const isSameAge = (a: DataAge, b: DataAge): boolean =>
  a.isStale === b.isStale &&
  a.dataAsOf?.getTime() === b.dataAsOf?.getTime() &&
  a.nextUpdateDue?.getTime() === b.nextUpdateDue?.getTime();

const readListed = async ({ db }: CatalogueReader, ids: number[], today: Day): Promise<ListedRoute[]> => {
  const [rows, levels, periods] = await Promise.all([
    queries.findSummaries(db, ids),
    queries.levelsOf(db, ids),
    queries.periodsOnSale(db, ids, today),
  ]);
  return withLevelsAndPeriods(
    rows,
    levels,
    periods.map(({ dataAsOf: _, maxAgeMinutes: __, ...period }) => period),
  );
};
