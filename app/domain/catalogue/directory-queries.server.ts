import { and, arrayContains, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import { carriers, ports, regions, routes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { containsPattern } from "../like.ts";
import type { CarrierFilter, PortFilter } from "./directory.ts";
import type { Keyset } from "./hierarchy-queries.server.ts";
import { searchWords } from "./search-words.ts";

/** One more than `limit`, by UN/LOCODE. `ids`: only among these. */
export const pageOfPorts = (
  db: Tx,
  filter: Omit<PortFilter, "q"> & { ids: number[] | null },
  { limit, afterCode }: Keyset,
) =>
  db
    .select({
      id: ports.id,
      unlocode: ports.unlocode,
      altUnlocodes: ports.altUnlocodes,
      name: ports.name,
      countryCode: ports.countryCode,
      country: ports.country,
      region: { id: regions.id, code: regions.code, name: regions.name },
      lat: ports.lat,
      lon: ports.lon,
      timezone: ports.timezone,
      cargoTypes: ports.cargoTypes,
      departingRoutes: db.$count(routes, eq(routes.originPortId, ports.id)),
      arrivingRoutes: db.$count(routes, eq(routes.destinationPortId, ports.id)),
    })
    .from(ports)
    .innerJoin(regions, eq(regions.id, ports.regionId))
    .where(
      and(
        filter.region ? eq(regions.code, filter.region) : undefined,
        filter.country_code ? eq(ports.countryCode, filter.country_code) : undefined,
        filter.cargo_type && arrayContains(ports.cargoTypes, [filter.cargo_type]),
        filter.ids ? sql`${ports.id} = any(${sql.param(filter.ids)}::int[])` : undefined,
        afterCode === null ? undefined : gt(ports.unlocode, afterCode),
      ),
    )
    .orderBy(asc(ports.unlocode))
    .limit(limit + 1);

/** One more than `limit`, by code. */
export const pageOfCarriers = (db: Tx, filter: CarrierFilter, { limit, afterCode }: Keyset) =>
  db
    .select({
      id: carriers.id,
      code: carriers.code,
      name: carriers.name,
      cargoTypes: carriers.cargoTypes,
      routes: db.$count(routes, eq(routes.carrierId, carriers.id)),
    })
    .from(carriers)
    .where(
      and(
        filter.cargo_type && arrayContains(carriers.cargoTypes, [filter.cargo_type]),
        ...mentions(filter.q, sql`${carriers.code}, ${carriers.name}`),
        afterCode === null ? undefined : gt(carriers.code, afterCode),
      ),
    )
    .orderBy(asc(carriers.code))
    .limit(limit + 1);

/** Each word must occur in one of the columns. */
const mentions = (q: string | undefined, columns: SQL): SQL[] =>
  searchWords(q).map((word) => sql`concat_ws(' ', ${columns}) ilike ${containsPattern(word)}`);
