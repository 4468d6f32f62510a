import { and, arrayContains, asc, eq, gt, gte, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { carriers, ports, routes, sailingLegs, sailings } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { isOneOf } from "../../platform/is-one-of.server.ts";
import { addDays, startOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import type { DepartureBound, Sailing, SailingFilter, SailingLeg } from "./sailing.ts";

const origin = alias(ports, "origin");
const destination = alias(ports, "destination");
const loadPort = alias(ports, "load_port");
const dischargePort = alias(ports, "discharge_port");

/** One more than `limit`, by departure, after `after`. */
export const searchSailings = async (
  db: Tx,
  filter: SailingFilter,
  limit: number,
  after: [etd: string, id: number] | null,
): Promise<Sailing[]> =>
  filter.routeIds.length === 0
    ? []
    : withLegs(
        db,
        await selectSailings(db)
          .where(
            and(
              isOfRoutes(filter.routeIds),
              departsFrom(filter.from),
              filter.to ? departsBy(filter.to) : undefined,
              filter.origin ? isPort(origin, filter.origin) : undefined,
              filter.destination ? isPort(destination, filter.destination) : undefined,
              after ? sql`(${sailings.etd}, ${sailings.id}) > (${after[0]}::timestamptz, ${after[1]})` : undefined,
            ),
          )
          .orderBy(asc(sailings.etd), asc(sailings.id))
          .limit(limit + 1),
      );

/** Each route's first sailing after this time that is not cancelled. */
export const nextDepartures = async (db: Tx, routeIds: number[], after: Date): Promise<Sailing[]> => {
  if (routeIds.length === 0) return [];
  return withLegs(db, await nextDeparturesIn(db).execute({ routeIds, after: after.toISOString() }));
};

const nextDeparturesIn = perDatabase((db) => {
  const first = db
    .selectDistinctOn([sailings.routeId], { id: sailings.id })
    .from(sailings)
    .where(
      and(
        isOneOf(sailings.routeId, sql.placeholder("routeIds")),
        eq(sailings.status, "scheduled"),
        gt(sailings.etd, sql.placeholder("after")),
      ),
    )
    .orderBy(asc(sailings.routeId), asc(sailings.etd), asc(sailings.id));
  return selectSailings(db).where(inArray(sailings.id, first)).prepare("next_departures");
});

const selectSailings = (db: Tx) =>
  db
    .select({
      id: sailings.id,
      route: { id: routes.id, code: routes.code, name: routes.name, cargoType: routes.cargoType },
      carrier: { code: carriers.code, name: carriers.name },
      serviceCode: sailings.serviceCode,
      voyage: sailings.voyage,
      status: sailings.status,
      serviceLevel: sailings.serviceLevel,
      etd: sailings.etd,
      eta: sailings.eta,
      documentation: sailings.documentationCutOff,
      vgm: sailings.vgmCutOff,
      cargo: sailings.cargoCutOff,
      publishedAt: sailings.publishedAt,
      updatedAt: sailings.updatedAt,
    })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(carriers, eq(carriers.id, routes.carrierId))
    .innerJoin(origin, eq(origin.id, routes.originPortId))
    .innerJoin(destination, eq(destination.id, routes.destinationPortId));

const isOfRoutes = (routeIds: number[]) => sql`${sailings.routeId} = any(${sql.param(routeIds)}::int[])`;

const withLegs = async (db: Tx, rows: Awaited<ReturnType<typeof selectSailings>>): Promise<Sailing[]> => {
  const legs = groupBy(
    await legsOf(
      db,
      rows.map(({ id }) => id),
    ),
    ({ sailingId }) => sailingId,
  );
  return rows.flatMap(({ route, carrier, documentation, vgm, cargo, ...row }) => {
    const [first, ...rest] = (legs.get(row.id) ?? []).map(({ sailingId: _, ...leg }) => leg);
    if (!first) return [];
    return [{ ...row, route: { ...route, carrier }, cutOffs: { documentation, vgm, cargo }, legs: [first, ...rest] }];
  });
};

const legsOf = async (db: Tx, sailingIds: number[]): Promise<(SailingLeg & { sailingId: number })[]> =>
  sailingIds.length === 0 ? [] : legsIn(db).execute({ sailingIds });

const legsIn = perDatabase((db) =>
  db
    .select({
      sailingId: sailingLegs.sailingId,
      sequence: sailingLegs.sequence,
      mode: sailingLegs.mode,
      load: callAt(loadPort, sailingLegs.loadTerminal, sailingLegs.loadTerminalCode),
      discharge: callAt(dischargePort, sailingLegs.dischargeTerminal, sailingLegs.dischargeTerminalCode),
      vessel: sailingLegs.vessel,
      vesselImo: sailingLegs.vesselImo,
      serviceCode: sailingLegs.serviceCode,
      voyage: sailingLegs.voyage,
      etd: sailingLegs.etd,
      eta: sailingLegs.eta,
    })
    .from(sailingLegs)
    .innerJoin(loadPort, eq(loadPort.id, sailingLegs.loadPortId))
    .innerJoin(dischargePort, eq(dischargePort.id, sailingLegs.dischargePortId))
    .where(isOneOf(sailingLegs.sailingId, sql.placeholder("sailingIds")))
    .orderBy(asc(sailingLegs.sailingId), asc(sailingLegs.sequence))
    .prepare("sailing_legs"),
);

type Port = typeof loadPort | typeof dischargePort | typeof origin | typeof destination;

const callAt = <Name, Code>(port: Port, terminal: Name, terminalCode: Code) => ({
  unlocode: port.unlocode,
  port: port.name,
  timezone: port.timezone,
  terminal,
  terminalCode,
});

const isPort = (port: Port, unlocode: string) =>
  or(eq(port.unlocode, unlocode), arrayContains(port.altUnlocodes, [unlocode]));

const localDay = sql`(${sailings.etd} at time zone ${origin.timezone})::date`;

/** The second condition of each day only serves the index: no port's day is further than 14 hours from UTC's. */
const departsFrom = (bound: DepartureBound): SQL | undefined =>
  "day" in bound
    ? and(sql`${localDay} >= ${bound.day}::date`, gte(sailings.etd, startOf(addDays(bound.day, -1))))
    : gte(sailings.etd, bound.instant);

const departsBy = (bound: DepartureBound): SQL | undefined =>
  "day" in bound
    ? and(sql`${localDay} <= ${bound.day}::date`, lte(sailings.etd, startOf(addDays(bound.day, 2))))
    : lte(sailings.etd, bound.instant);
