/**
 * Search of 100,000 routes, two ways beside each other: the index in memory that the service uses, and a search document per
 * route in PostgreSQL with full-text and trigram indexes. Both answer the same queries with a page of 20 routes, the total
 * and all facets, in interleaved rounds. Then the API over HTTP.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { importCatalogue, lockCatalogue } from "../app/domain/catalogue/import.server.ts";
import { facetNames, type RouteSearch } from "../app/domain/catalogue/search.ts";
import { portAliases, regionAliases, widerRegions } from "../app/domain/catalogue/search-aliases.ts";
import { indexedCatalogue } from "../app/domain/catalogue/search-index.server.ts";
import { searchWords } from "../app/domain/catalogue/search-words.ts";
import { systemClock } from "../app/domain/clock.ts";
import { dayOf } from "../app/domain/dates.ts";
import { commandWaitMs, openDatabase } from "../app/platform/db.server.ts";
import { startService } from "../app/testing/service.ts";
import { readDemoCatalogue } from "../drizzle/seed/catalogue-files.ts";
import { type Limits, load, type Target } from "./load.ts";
import { machineInWords, spreadInWords, spreadOf, table, writeResults } from "./results.ts";
import { type Customer, newCustomer, openStage, print, type Stage, withoutDemo } from "./stage.ts";

const routesWanted = 100_000;
const rounds = 5;
const connections = 16;
const secondsOfRound = 3;
const pageSize = 20;
/** Enough that none exceeds its limit for a second. */
const accountsTakingTurns = 100;

type Way = { name: string; search: (search: RouteSearch) => Promise<{ ids: number[]; total: number }> };
type Measured = { perSecond: number; p50: number; p95: number; nodeCpuMs: number; postgresCpuMs: number };

export const run = async (): Promise<void> => {
  const stage = await openStage(importWithoutReports);
  try {
    print(`Making ${routesWanted} routes`);
    await makeRoutes(stage);
    const memory = await inMemory(stage);
    const postgres = await inPostgres(stage);
    const ways = [memory.way, postgres.way];
    const queries = await queriesOf(stage);
    for (const way of ways) for (const query of queries.slice(0, 40)) await way.search(query);

    const measured: Measured[][] = [];
    for (let round = 1; round <= rounds; round++) {
      print(`Round ${round} of ${rounds}`);
      const inRound = new Map<Way, Measured>();
      for (const way of round % 2 === 0 ? ways.toReversed() : ways)
        inRound.set(way, await measure(stage, way, queries));
      measured.push(ways.map((way) => inRound.get(way) as Measured));
    }
    print(comparisonOf(ways, measured));
    const http = await measureHttp(stage);
    report(ways, measured, http, { memory: memory.facts, postgres: postgres.facts, queries: queries.length });
  } finally {
    await stage.close();
  }
};

/** The demo's routes without reports, which take long and are not searched. The newest one tells the service that all is there. */
const importWithoutReports = async (databaseUrl: string): Promise<void> => {
  const { db, close } = openDatabase(databaseUrl, { requestWaitMs: commandWaitMs });
  const ctx = { db, clock: systemClock };
  const { source, newestReportAt } = readDemoCatalogue({ today: dayOf(systemClock.now()) });
  const { reports: _, ...withoutReports } = source;
  await importCatalogue(ctx, withoutReports);
  await db.transaction(async (tx) => {
    await lockCatalogue(tx, { now: systemClock.now(), source: "seed" });
    await tx.execute(sql`insert into reports (period_id, type, observed_at, service_level)
      select id, 'schedule', ${newestReportAt}::timestamptz, 'standard' from periods order by id limit 1`);
  });
  await close();
};

/** Copies of the demo's routes between other ports of the same regions, with their service levels and periods. */
const makeRoutes = async ({ ctx }: Stage): Promise<void> => {
  await ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx, { now: ctx.clock.now(), source: "seed" });
    await tx.execute(sql`
      create temporary table made on commit drop as
      with numbered as (
        select id, region_id, name, unlocode, row_number() over (partition by region_id order by id) - 1 as place,
          count(*) over (partition by region_id) as places from ports
      )
      select r.id as model_id, o.id as origin_id, d.id as destination_id, o.name || ' – ' || d.name as name,
        'X-' || o.unlocode || '-' || d.unlocode || '-' || r.id || '-' || copy as code
      from routes r
      cross join generate_series(1, ${Math.ceil(routesWanted / 2_000)}::int) copy
      join numbered ro on ro.id = r.origin_port_id
      join numbered o on o.region_id = ro.region_id and o.place = (ro.place + copy * 7) % ro.places
      join numbered rd on rd.id = r.destination_port_id
      join numbered d on d.region_id = rd.region_id and d.place = (rd.place + copy * 5) % rd.places
      where o.id <> d.id
      order by copy, r.id limit ${routesWanted} - (select count(*) from routes)`);
    await tx.execute(sql`
      insert into routes (code, name, route_group_id, carrier_id, cargo_type, origin_port_id, destination_port_id, distance_nm,
        sailings_per_week, departure_weekdays, waypoints, capacity_nominal, capacity_available, booking_status,
        capacity_observed_at, updated_at)
      select made.code, made.name, route_group_id, carrier_id, cargo_type, origin_id, destination_id, distance_nm,
        sailings_per_week, departure_weekdays, '[]', capacity_nominal, capacity_available, booking_status,
        capacity_observed_at, updated_at
      from made join routes on routes.id = made.model_id`);
    await tx.execute(sql`
      insert into service_levels (route_id, level, speed_knots, transit_days)
      select routes.id, level, speed_knots, transit_days from made
      join routes on routes.code = made.code join service_levels on service_levels.route_id = made.model_id`);
    await tx.execute(sql`
      insert into periods (code, route_id, name, starts_on, freshness)
      select made.code || '-' || periods.id, routes.id, periods.name, periods.starts_on, periods.freshness from made
      join routes on routes.code = made.code join periods on periods.route_id = made.model_id and periods.ends_on is null`);
  });
  await ctx.db.execute(sql`analyze routes, service_levels, periods, route_search_changes`);
};

const inMemory = async ({ ctx }: Stage): Promise<{ way: Way; facts: Record<string, number> }> => {
  global.gc?.();
  const heapBefore = used();
  const startedAt = performance.now();
  await indexedCatalogue(ctx);
  const buildMs = performance.now() - startedAt;
  global.gc?.();
  const megabytes = (used() - heapBefore) / 2 ** 20;
  const refreshStartedAt = performance.now();
  await ctx.db.execute(sql`update routes set sailings_per_week = 1.5 where id = (select max(id) from routes)`);
  await indexedCatalogue(ctx);
  const refreshMs = performance.now() - refreshStartedAt;
  const way: Way = {
    name: "Index in memory",
    search: async (search) => {
      const found = (await indexedCatalogue(ctx)).find(search);
      const order = searchWords(search.q).length > 0 ? "relevance" : "name";
      return { ids: found.page(order, pageSize, null).map(({ id }) => id), total: found.total };
    },
  };
  return { way, facts: { buildMs, refreshMs, megabytes } };
};

const used = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** Words of a document that begin with the words of the query; where none do, words that resemble them. */
const inPostgres = async ({ ctx: { db } }: Stage): Promise<{ way: Way; facts: Record<string, number> }> => {
  const startedAt = performance.now();
  const aliases = Object.entries(portAliases).map(([code, names]) => ({ code, names: names.join(" ") }));
  const areas = Object.entries(regionAliases).map(([code, names]) => ({
    code,
    names: [...names, ...(widerRegions[code] ?? [])].join(" "),
  }));
  await db.execute(sql`create extension if not exists pg_trgm`);
  await db.execute(sql`
    create table search_documents as
    with port as (
      select p.id, concat_ws(' ', p.unlocode, array_to_string(p.alt_unlocodes, ' '), p.name, p.country_code, p.country, r.name,
        replace(r.geography, '_', ' '), a.names, ra.names) as words
      from ports p join regions r on r.id = p.region_id
      left join jsonb_to_recordset(${JSON.stringify(aliases)}::jsonb) a (code text, names text) on a.code = p.unlocode
      left join jsonb_to_recordset(${JSON.stringify(areas)}::jsonb) ra (code text, names text) on ra.code = r.code
    )
    select r.id, r.name, g.code as route_group, l.code as trade_lane, e.code as region, c.code as carrier,
      r.cargo_type::text as cargo_type,
      array(select level::text from service_levels s where s.route_id = r.id) as service_level,
      array(select distinct freshness::text from periods p where p.route_id = r.id and p.ends_on is null) as freshness,
      lower(concat_ws(' ', replace(r.code, '-', ' '), r.code, r.name, c.code, c.name, l.code, l.name, o.words, d.words)) as document
    from routes r join carriers c on c.id = r.carrier_id join route_groups g on g.id = r.route_group_id
    join trade_lanes l on l.id = g.trade_lane_id join regions e on e.id = l.region_id
    join port o on o.id = r.origin_port_id join port d on d.id = r.destination_port_id
    where r.retired_at is null`);
  await db.execute(sql`alter table search_documents add primary key (id)`);
  await db.execute(
    sql`alter table search_documents add words tsvector generated always as (to_tsvector('simple', document)) stored`,
  );
  await db.execute(sql`create index on search_documents using gin (words)`);
  await db.execute(sql`create index on search_documents using gin (document gin_trgm_ops)`);
  await db.execute(sql`analyze search_documents`);
  const buildMs = performance.now() - startedAt;
  const [size] = await db.execute<{ bytes: string }>(sql`select pg_total_relation_size('search_documents') as bytes`);
  const way: Way = {
    name: "Search documents in PostgreSQL",
    search: async (search) => {
      const words = searchWords(search.q).map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
      const prefixes = words.map((word) => `${word}:*`).join(" & ");
      const byWords = words.length === 0 ? sql`true` : sql`words @@ to_tsquery('simple', ${prefixes})`;
      const found = await documents(db, search, byWords, words);
      if (found.total > 0 || words.length === 0) return found;
      const bySimilarity = sql.join(
        words.map((word) => sql`${word} <% document`),
        sql` and `,
      );
      return documents(db, search, bySimilarity, words);
    },
  };
  return { way, facts: { buildMs, megabytes: Number(size?.bytes ?? 0) / 2 ** 20 } };
};

/** A page, the total and the facets in one statement: one round trip. */
const documents = async (db: Stage["ctx"]["db"], search: RouteSearch, matches: SQL, words: string[]) => {
  const fits = (name: string) => {
    const values = (search[name as keyof RouteSearch] as string[] | undefined) ?? [];
    const list = sql`${sql.param(values)}::text[]`;
    if (values.length === 0) return sql`true`;
    return isSet(name) ? sql`${sql.identifier(name)} && ${list}` : sql`${sql.identifier(name)} = any(${list})`;
  };
  const others = (own: string | null) =>
    sql.join(
      facetNames.filter((name) => name !== own).map((name) => fits(name)),
      sql` and `,
    );
  const counts = facetNames.map((name) =>
    isSet(name)
      ? sql`select ${name} as facet, value as code, count(*)::int as routes from base, unnest(${sql.identifier(name)}) value where ${others(name)} group by value`
      : sql`select ${name} as facet, ${sql.identifier(name)} as code, count(*)::int as routes from base where ${others(name)} group by ${sql.identifier(name)}`,
  );
  const rank = words.length === 0 ? sql`0::real` : sql`-ts_rank(words, to_tsquery('simple', ${words.join(" | ")}))`;
  const [row] = await db.execute<{ ids: number[]; total: number; facets: unknown }>(sql`
    with base as materialized (select * from search_documents where ${matches})
    select array(select id from base where ${others(null)} order by ${rank}, name, id limit ${pageSize}) as ids,
      (select count(*)::int from base where ${others(null)}) as total,
      (select jsonb_agg(facet) from (${sql.join(counts, sql` union all `)}) facet) as facets`);
  return { ids: row?.ids ?? [], total: row?.total ?? 0 };
};

const isSet = (name: string): boolean => name === "service_level" || name === "freshness";

/** Different queries in a fixed order: ports, pairs, beginnings, typing errors, countries, carriers and filters alone. */
const queriesOf = async ({ ctx }: Stage): Promise<RouteSearch[]> => {
  const { directory } = await indexedCatalogue(ctx);
  const names = directory.ports
    .filter(({ tier }) => tier === 1)
    .map(({ name }) => name.replace(/\s*[(/].*/, ""))
    .filter((name) => !name.includes(" "));
  const carriers = directory.carriers.map(({ name }) => name.split(" ")[0] ?? "");
  const lanes = directory.lanes.map(({ code }) => code);
  const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;
  return Array.from({ length: 50 }, (_, turn): RouteSearch[] => {
    const [port, other] = [at(names, turn * 7), at(names, turn * 11 + 5)];
    return [
      { q: port },
      { q: `${port} ${other}` },
      { q: port.slice(0, 4) },
      { q: `${port.slice(0, 3)}${port.slice(4)} ${other}` },
      { q: `${at(directory.ports, turn * 13).country.split(" ")[0]}` },
      { q: `${at(carriers, turn)} ${other}` },
      { trade_lane: [at(lanes, turn)] },
      { cargo_type: [at(["container", "bulk"] as const, turn)], q: other },
    ];
  }).flat();
};

const measure = async (stage: Stage, way: Way, queries: readonly RouteSearch[]): Promise<Measured> => {
  const durations: number[] = [];
  const before = { node: process.cpuUsage(), postgres: postgresCpuMs(stage) };
  const startedAt = performance.now();
  let next = 0;
  const work = async () => {
    while (performance.now() - startedAt < secondsOfRound * 1_000) {
      const askedAt = performance.now();
      await way.search(queries[next++ % queries.length] as RouteSearch);
      durations.push(performance.now() - askedAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - startedAt) / 1_000;
  const node = process.cpuUsage(before.node);
  durations.sort((a, b) => a - b);
  const quantile = (fraction: number) => durations[Math.floor(durations.length * fraction)] ?? Number.NaN;
  return {
    perSecond: durations.length / seconds,
    p50: quantile(0.5),
    p95: quantile(0.95),
    nodeCpuMs: (node.user + node.system) / 1_000 / durations.length,
    postgresCpuMs: (postgresCpuMs(stage) - before.postgres) / durations.length,
  };
};

const ticksPerSecond = 100;

/** The CPU time of the server's processes so far. */
const postgresCpuMs = ({ folder }: Stage): number => {
  const [postmaster] = readFileSync(path.join(folder, "postgres", "postmaster.pid"), "utf8").split("\n");
  const ofProcess = (pid: string): number => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      return fields[1] === postmaster || pid === postmaster ? Number(fields[11]) + Number(fields[12]) : 0;
    } catch {
      return 0;
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return (pids.reduce((sum, pid) => sum + ofProcess(pid), 0) * 1_000) / ticksPerSecond;
};

type HttpCase = { name: string; perSecond: number[]; p50: number[]; p95: number[] };

const measureHttp = async (stage: Stage): Promise<HttpCase[]> => {
  print(`Opening ${accountsTakingTurns} accounts`);
  const customers: Customer[] = [];
  for (let number = 1; number <= accountsTakingTurns; number++) {
    customers.push(await newCustomer(stage, `bench-${number}`));
  }
  process.env.TEST_DATABASE_URL = stage.adminUrl;
  const service = await startService({ databaseUrl: stage.databaseUrl, env: withoutDemo });
  const headers = (request: number) => ({
    Authorization: `Bearer ${(customers[request % customers.length] as Customer).token}`,
  });
  const target = (path: string): Target => ({ port: Number(new URL(service.url).port), path, headers });
  const cases = [
    [
      "Search with facets, `all-routes?q=rotterdam&limit=20&facets=true`",
      "/api/route-access/all-routes?q=rotterdam&limit=20&facets=true",
    ],
    ["Search, `all-routes?q=rotterdam&limit=20`", "/api/route-access/all-routes?q=rotterdam&limit=20"],
    ["List with facets, `all-routes?limit=20&facets=true`", "/api/route-access/all-routes?limit=20&facets=true"],
    ["Suggestions, `suggestions?q=shangh+rott`", "/api/catalogue/suggestions?q=shangh+rott"],
  ].map(
    ([name = "", path = ""]) =>
      ({ name, target: target(path), perSecond: [], p50: [], p95: [] }) as HttpCase & { target: Target },
  );
  const limits: Limits = { connections, seconds: 2, mostRequests: 20_000 };
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const each of round % 2 === 0 ? cases.toReversed() : cases) {
        const { perSecond, p50Ms, p95Ms } = await load(each.target, limits);
        if (round === 0) continue;
        each.perSecond.push(perSecond);
        each.p50.push(p50Ms);
        each.p95.push(p95Ms);
      }
    }
  } finally {
    await service.stop();
  }
  return cases.map(({ target: _, ...figures }) => figures);
};

type Facts = { memory: Record<string, number>; postgres: Record<string, number>; queries: number };

const comparisonOf = (ways: Way[], measured: Measured[][]): string => {
  const rows = ways.map((way, index) => {
    const spread = (of: (measured: Measured) => number) =>
      spreadInWords(spreadOf(measured.map((round) => of(round[index] as Measured))));
    return [
      way.name,
      spread(({ perSecond }) => perSecond),
      spread(({ p50 }) => p50),
      spread(({ p95 }) => p95),
      spread(({ nodeCpuMs }) => nodeCpuMs),
      spread(({ postgresCpuMs }) => postgresCpuMs),
    ];
  });
  return table(
    ["way", "searches a second", "p50 ms", "p95 ms", "node CPU ms a search", "PostgreSQL CPU ms a search"],
    rows,
  );
};

const report = (ways: Way[], measured: Measured[][], http: HttpCase[], facts: Facts): void => {
  const overHttp = table(
    ["request", "requests a second", "p50 ms", "p95 ms"],
    http.map(({ name, perSecond, p50, p95 }) => [
      name,
      ...[perSecond, p50, p95].map((all) => spreadInWords(spreadOf(all))),
    ]),
  );
  const whole = (value: number | undefined) => Math.round(value ?? 0);
  const page = `# Search of ${routesWanted.toLocaleString("en")} routes

Median of ${rounds} interleaved rounds (smallest–largest of them).

## The two ways

${comparisonOf(ways, measured)}

- ${facts.queries} different queries: ports, pairs, beginnings, typing errors, countries, carriers, filters alone. Each answers ${pageSize} ids, the
  total and all facets. No result is found in the cache of the last ${50} searches.
- The index in memory: read in ${whole(facts.memory.buildMs)} ms, ${whole(facts.memory.megabytes)} MB. The first search after a change of one route takes ${whole(facts.memory.refreshMs)} ms.
- The search documents: made in ${whole(facts.postgres.buildMs)} ms, ${whole(facts.postgres.megabytes)} MB on disk.

## Over HTTP

${overHttp}

- ${machineInWords()}.
- ${connections} connections. ${accountsTakingTurns} enterprise accounts take turns; an answer other than 200 ends the run.`;
  print(`\n${page}\n`);
  writeResults("search", { rounds, connections, routes: routesWanted, measured, http, facts }, page);
};
