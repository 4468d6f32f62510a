/**
 * Keeps the search index current. Each request asks the database what has changed since the index was read, so that no
 * answer is older than the last commit before the request began. See docs/decisions/0039.
 */
import { batch } from "../../platform/batch.server.ts";
import { DatabaseTrouble } from "../../platform/database-trouble.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { allowanceFor, asLongWork } from "../../platform/time-budget.server.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf } from "../dates.ts";
import { withTimeout } from "../with-timeout.ts";
import type { RouteSummary } from "./browse.ts";
import { keepingLast } from "./keeping-last.ts";
import { facetNames, type RouteSearch } from "./search.ts";
import type { IndexedRoute } from "./search-columns.ts";
import { type Found, type SearchIndex, searchIndexOf } from "./search-index.ts";
import * as queries from "./search-queries.server.ts";
import type { Directory } from "./search-vocabulary.ts";

/** The catalogue as it was in one revision, on one day: prices and periods on sale depend on the day. */
export type IndexedCatalogue = {
  today: Day;
  revision: number;
  directory: Directory;
  routes: ReadonlyMap<number, IndexedRoute>;
  index: SearchIndex;
  find: (search: RouteSearch) => Found;
  /** Routes as they are listed, without the age of their data, which changes with every observation. */
  listed: Map<number, ListedRoute>;
};

export type ListedRoute = Omit<RouteSummary, "periods"> & {
  periods: Omit<RouteSummary["periods"][number], keyof Age>[];
};
type Age = Pick<RouteSummary["periods"][number], "dataAsOf" | "nextUpdateDue" | "isStale">;

/** Above this, all routes are read instead of the changed ones. */
const mostRefreshed = 2_000;
const mostFound = 50;
/** After this, a reading that hangs gives way to another one. */
const longestReadMs = 30_000;
/** How long a caller without a budget waits. */
const waitMs = 60_000;

/** The catalogue as of the last commit before the call, or later. */
export const indexedCatalogue = ({ db, clock }: Pick<Context, "db" | "clock">): Promise<IndexedCatalogue> =>
  keeperOf(db)(dayOf(clock.now()));

/** Reads the index before the first request needs it. If that fails, the first request reads it. */
export const readAhead = async (ctx: Pick<Context, "db" | "clock" | "log">): Promise<void> => {
  try {
    await indexedCatalogue(ctx);
  } catch (error) {
    ctx.log.error("The search index could not be read ahead", {}, error);
  }
};

const keeperOf = perDatabase((db) => {
  let kept: IndexedCatalogue | null = null;
  let reading: Promise<IndexedCatalogue> | null = null;

  /** Concurrent requests share one query. */
  const changesSinceRead = batch(async (requests: null[]) => {
    const changes = await queries.searchChangesAfter(db, kept?.revision ?? 0, 1);
    return requests.map(() => changes);
  });

  const readNext = (today: Day): Promise<IndexedCatalogue> => {
    reading ??= withTimeout(
      longestReadMs,
      asLongWork(() => read(db, today, kept)),
    )
      .then((catalogue) => {
        kept = catalogue;
        return catalogue;
      })
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  /** Within the time budget of the request. The reading continues for the next one. */
  const waitForNext = (today: Day) => allowanceFor("database", waitMs).spend(() => readNext(today), tooLate);

  return async (today: Day): Promise<IndexedCatalogue> => {
    let current = kept ?? (await waitForNext(today));
    const [latest] = await changesSinceRead(null);
    current = kept ?? current;
    // What is being read may have begun before the latest change.
    while (current.revision < (latest?.revision ?? 0) || current.today !== today) current = await waitForNext(today);
    return current;
  };
});

const tooLate = () => new DatabaseTrouble("away", "The search index was not read in time");

/** Reads what has changed since `before`, or everything. */
const read = (db: Tx, today: Day, before: IndexedCatalogue | null): Promise<IndexedCatalogue> =>
  db.transaction(
    async (tx) => {
      const changes = await queries.searchChangesAfter(tx, before?.revision ?? 0, mostRefreshed + 1);
      const revision = changes[0]?.revision ?? before?.revision ?? 0;
      const ids = changes.map(({ routeId }) => routeId);
      if (before?.today === today && changes.length <= mostRefreshed && !ids.includes(0)) {
        const [routes, listed] = [new Map(before.routes), new Map(before.listed)];
        for (const id of ids) {
          routes.delete(id);
          listed.delete(id);
        }
        for (const route of await queries.routesToIndex(tx, today, ids)) routes.set(route.id, route);
        return catalogueOf({ today, revision, directory: before.directory, routes, listed });
      }
      const directory = await queries.directoryToIndex(tx);
      const routes = new Map((await queries.routesToIndex(tx, today, null)).map((route) => [route.id, route]));
      return catalogueOf({ today, revision, directory, routes, listed: new Map() });
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );

const catalogueOf = (parts: Pick<IndexedCatalogue, "today" | "revision" | "directory" | "routes" | "listed">) => {
  const index = searchIndexOf(parts.directory, parts.routes.values());
  return { ...parts, index, find: keepingLastFound(index.search) };
};

/** Keeps the results of the last different searches. */
const keepingLastFound = (search: (wanted: RouteSearch) => Found): ((wanted: RouteSearch) => Found) => {
  const find = keepingLast(mostFound, (key) => search(JSON.parse(key) as RouteSearch));
  return (wanted) => {
    const { q, origin, destination, port, is_sample } = wanted;
    const facets = Object.fromEntries(facetNames.map((name) => [name, wanted[name]]));
    return find(JSON.stringify({ q, origin, destination, port, is_sample, ...facets }));
  };
};
