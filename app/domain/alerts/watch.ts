/** What an account watches, and the rules that raise alerts about it. */
import { z } from "zod";
import { equipmentCode, equipmentName, usualEquipmentType } from "../catalogue/equipment.ts";
import type { CargoType } from "../catalogue/route.ts";
import type { alertKinds } from "./enums.ts";

export type AlertKind = (typeof alertKinds)[number];

/** Null or false turns a rule off. */
export type WatchRules = {
  /** How far the all-in rate has to move from the last alert, or from where it was when the watch began. */
  rateChangePercent: number | null;
  /** Thresholds of the all-in rate, in US cents. */
  allInBelowCents: number | null;
  allInAboveCents: number | null;
  /** In the unit of the route's cargo type. */
  capacityBelow: number | null;
  /** Every change of the booking status. */
  bookingStatus: boolean;
  /** By how many days a published sailing has to move. Withdrawn sailings always count. */
  scheduleSlipDays: number | null;
  staleData: boolean;
};

export type WatchedPort = { unlocode: string; name: string };

export type Watch = {
  id: number;
  target: { routeId: number } | { origin: WatchedPort; destination: WatchedPort; cargoType: CargoType | null };
  /** Null: the type in which rates are usually quoted. */
  equipmentType: string | null;
  rules: WatchRules;
  createdAt: Date;
};

/**
 * The equipment type by which a watch differs from others of the same target, if there are rates by equipment type.
 *
 * @param routeCargo of a watched route
 */
export const watchedEquipment = (
  { target, equipmentType }: Pick<Watch, "target" | "equipmentType">,
  routeCargo: CargoType | null,
): string | null =>
  equipmentType ?? (("routeId" in target ? routeCargo : target.cargoType) === "container" ? usualEquipmentType : null);

/** `Shanghai – Rotterdam, 40′ high cube (45G1)`, `Shanghai → Rotterdam, bulk`. @param route the watched one */
export const watchName = (
  watch: Pick<Watch, "target" | "equipmentType">,
  route: { name: string; cargoType: CargoType } | null,
): string => {
  const { target } = watch;
  const equipment = watchedEquipment(watch, route?.cargoType ?? null);
  const cargo = "routeId" in target ? null : target.cargoType;
  return [
    "routeId" in target
      ? (route?.name ?? `Route ${target.routeId}`)
      : `${target.origin.name} → ${target.destination.name}`,
    ...(equipment !== null ? [equipmentName(equipment)] : cargo === null ? [] : [cargo.replaceAll("_", " ")]),
  ].join(", ");
};

/** A route, or a port pair. */
export type WatchTarget = { equipmentType: string | null } & (
  | { routeId: number }
  | { origin: string; destination: string; cargoType: CargoType | null }
);

export const equipmentType = z
  .string()
  .trim()
  .toUpperCase()
  .regex(equipmentCode, "Must be an ISO 6346 size and type code, like 45G1");
