/** A departure that a carrier has published, with its legs and cut-offs. @spec What the service does (schedules) */
import { z } from "zod";
import type { CargoType, ServiceLevelName } from "../catalogue/route.ts";
import type { Day } from "../dates.ts";
import { cursorOf } from "../page.ts";
import type { sailingStatuses, transportModes } from "./enums.ts";

export type SailingStatus = (typeof sailingStatuses)[number];
export type TransportMode = (typeof transportModes)[number];

/** The last moment for each. Null: the carrier does not state one. */
export type CutOffs = {
  /** DCSA's DCO: shipping instructions. */
  documentation: Date | null;
  /** DCSA's VCO: verified gross mass of containers. */
  vgm: Date | null;
  /** DCSA's FCO: delivery of the cargo to the terminal. */
  cargo: Date | null;
};

export type PortCall = {
  unlocode: string;
  port: string;
  /** IANA. */
  timezone: string;
  terminal: string | null;
  /** SMDG. */
  terminalCode: string | null;
};

export type SailingLeg = {
  /** From 1. */
  sequence: number;
  mode: TransportMode;
  load: PortCall;
  discharge: PortCall;
  /** Null: not known yet, or the sailing is cancelled. */
  vessel: string | null;
  vesselImo: string | null;
  serviceCode: string;
  voyage: string;
  etd: Date;
  eta: Date;
};

export type Sailing = {
  id: number;
  route: { id: number; code: string; name: string; cargoType: CargoType; carrier: { code: string; name: string } };
  serviceCode: string;
  voyage: string;
  status: SailingStatus;
  serviceLevel: ServiceLevelName | null;
  etd: Date;
  eta: Date;
  cutOffs: CutOffs;
  publishedAt: Date;
  updatedAt: Date;
  /** At least one, in order. */
  legs: [SailingLeg, ...SailingLeg[]];
};

/** One end of a time of departure: a day in the local time of the origin port, or an instant. Both are included. */
export type DepartureBound = { day: Day } | { instant: Date };

export type SailingFilter = {
  routeIds: number[];
  from: DepartureBound;
  /** Null: no end. */
  to: DepartureBound | null;
  /** UN/LOCODE, alternates included. */
  origin?: string | undefined;
  destination?: string | undefined;
};

/** By departure, soonest first. */
export const sailingCursor = cursorOf(z.tuple([z.iso.datetime().regex(/^[12]\d{3}-/), z.int().min(0)]));

/** The ports at which the cargo changes vessels. */
export const transhipmentPorts = ({ legs }: Pick<Sailing, "legs">): PortCall[] => legs.slice(1).map(({ load }) => load);
