/** The published schedule of a demo route: the sailings of its timetable with services, terminals, legs and cut-offs. */
import type { CargoType, ServiceLevelName } from "../../catalogue/route.ts";
import { hashOf } from "../../catalogue/text-hash.ts";
import type { Day } from "../../dates.ts";
import type { CutOffs, SailingStatus } from "../sailing.ts";
import { vesselOf } from "./fleet.ts";
import { type Terminal, terminalOf } from "./terminals.ts";
import {
  publishedLevel,
  sailingsFrom,
  type TimetableRoute,
  type TimetableSailing,
  timetableOf,
  voyageNumber,
} from "./timetable.ts";

export type DemoPortCall = { id: number; unlocode: string; lat: number; lon: number };

export type DemoScheduledRoute = TimetableRoute & {
  id: number;
  routeGroupCode: string;
  origin: DemoPortCall;
  destination: DemoPortCall;
  /** Where the cargo changes vessels, and the share of the way that is behind it there. Null: a direct service. */
  transhipment: { hub: DemoPortCall; share: number } | null;
};

/** A sailing to be written. */
export type NewSailing = {
  routeId: number;
  serviceCode: string;
  voyage: string;
  status: SailingStatus;
  serviceLevel: ServiceLevelName | null;
  etd: Date;
  eta: Date;
  cutOffs: CutOffs;
  legs: NewLeg[];
};

export type NewLeg = {
  loadPortId: number;
  loadTerminal: Terminal;
  dischargePortId: number;
  dischargeTerminal: Terminal;
  vessel: { name: string; imo: string } | null;
  serviceCode: string;
  voyage: string;
  etd: Date;
  eta: Date;
};

/** The sailings that depart from `from` until the day before `until`, in UTC. */
export const demoSailings = (route: DemoScheduledRoute, from: Day, until: Day): NewSailing[] => {
  const timetable = timetableOf(route);
  const level = publishedLevel(route)?.level ?? null;
  const sailings: NewSailing[] = [];
  for (const sailing of sailingsFrom(timetable, from)) {
    if (sailing.etd.toISOString() >= until) break;
    const eta = hoursAfter(sailing.etd, timetable.transitDays * 24);
    const serviceCode = serviceCodeOf(route, route.routeGroupCode, sailing.service);
    sailings.push({
      routeId: route.id,
      serviceCode,
      voyage: sailing.voyage,
      status: sailing.vessel ? "scheduled" : "cancelled",
      serviceLevel: level,
      etd: sailing.etd,
      eta,
      cutOffs: cutOffsBefore(sailing.etd, route.cargoType),
      legs: legsOf(route, sailing, { serviceCode, eta }),
    });
  }
  return sailings;
};

const legsOf = (
  route: DemoScheduledRoute,
  { etd, vessel, voyage, index }: TimetableSailing,
  { serviceCode, eta }: { serviceCode: string; eta: Date },
): NewLeg[] => {
  const { origin, destination, transhipment } = route;
  const call = (port: DemoPortCall) => terminalOf(port.unlocode, route.cargoType, route.carrier.code);
  const leg = (
    from: DemoPortCall,
    to: DemoPortCall,
    rest: Omit<NewLeg, `${"load" | "discharge"}${string}`>,
  ): NewLeg => ({
    loadPortId: from.id,
    loadTerminal: call(from),
    dischargePortId: to.id,
    dischargeTerminal: call(to),
    ...rest,
  });
  if (!transhipment) return [leg(origin, destination, { vessel, serviceCode, voyage, etd, eta })];
  const { hub, share } = transhipment;
  const hours = (eta.getTime() - etd.getTime()) / 3_600_000;
  const ashoreHours = Math.min(hoursAtHub, hours / 4);
  const arrival = hoursAfter(etd, Math.round((hours - ashoreHours) * share));
  const departure = hoursAfter(arrival, Math.round(ashoreHours));
  const onward = serviceCodeOf(route, `${hub.unlocode} ${destination.unlocode}`, 0);
  // A cancelled sailing has no connection either.
  const second = vessel && vesselOf(route.carrier, route.cargoType, (hashOf(`${onward} ${route.code}`) >>> 0) + index);
  return [
    leg(origin, hub, { vessel, serviceCode, voyage, etd, eta: arrival }),
    leg(hub, destination, {
      vessel: second,
      serviceCode: onward,
      voyage: voyageNumber(hub, destination, departure),
      etd: departure,
      eta,
    }),
  ];
};

const hoursAtHub = 66;

/** Such as `PE47`: the carrier's letters, and a number for the string of ports. */
const serviceCodeOf = ({ carrier }: DemoScheduledRoute, string: string, service: number): string =>
  `${carrier.code.slice(0, 2)}${10 + ((((hashOf(`${carrier.code} ${string}`) >>> 0) % 89) + service) % 90)}`;

/** Hours before departure, as usual for the cargo. Bulk is loaded in its laycan, and only containers are weighed. */
const cutOffHours = {
  container: { documentation: 60, vgm: 30, cargo: 24 },
  bulk: { documentation: 48, vgm: null, cargo: null },
  ro_ro: { documentation: 48, vgm: null, cargo: 24 },
  break_bulk: { documentation: 72, vgm: null, cargo: 48 },
} as const satisfies Record<CargoType, Record<keyof CutOffs, number | null>>;

const cutOffsBefore = (etd: Date, cargoType: CargoType): CutOffs => {
  const { documentation, vgm, cargo } = cutOffHours[cargoType];
  const before = (hours: number | null) => (hours === null ? null : hoursAfter(etd, -hours));
  return { documentation: before(documentation), vgm: before(vgm), cargo: before(cargo) };
};

const hoursAfter = (instant: Date, hours: number): Date => new Date(instant.getTime() + hours * 3_600_000);
