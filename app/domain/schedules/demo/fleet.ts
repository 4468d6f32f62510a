/** The vessels of the demo's carriers. All are fictional. */
import type { CargoType } from "../../catalogue/route.ts";
import { hashOf } from "../../catalogue/text-hash.ts";
import { imoCheckDigit } from "../imo-number.ts";

export type Vessel = { name: string; imo: string };

/** A vessel of a carrier's fleet for one cargo type, such as `Pelorin Aurora Bridge`. @param number any integer from 0 */
export const vesselOf = (carrier: { code: string; name: string }, cargoType: CargoType, number: number): Vessel => {
  const index = number % fleetSize;
  const word = words[index % words.length];
  const kind = kinds[cargoType][Math.floor(index / words.length)];
  return { name: `${carrier.name.split(" ")[0]} ${word} ${kind}`, imo: demoImoNumber(carrier.code, cargoType, index) };
};

/**
 * A number with a correct check digit that belongs to no ship, as ships' numbers do not begin with 0. No two of the demo's
 * carriers share a number.
 */
const demoImoNumber = (carrierCode: string, cargoType: CargoType, index: number): string => {
  const fleet = (hashOf(`vessels of ${carrierCode} ${cargoType}`) >>> 0) % Math.floor(100_000 / fleetSize);
  const digits = String(fleet * fleetSize + index).padStart(6, "0");
  return `${digits}${imoCheckDigit(digits)}`;
};

const words = [
  "Aurora", "Meridian", "Horizon", "Tempest", "Harmony", "Voyager", "Zephyr", "Beacon", "Pioneer", "Solstice",
  "Endeavour", "Lantern", "Compass", "Halcyon", "Monsoon", "Equinox", "Cascade", "Sentinel", "Juniper", "Saffron",
  "Cobalt", "Larkspur", "Marigold", "Osprey", "Petrel", "Plover", "Sandpiper", "Tern",
]; // biome-ignore format: one word a line helps nobody

/** What vessels of a type are called after their own name. */
const kinds = {
  container: ["Bridge", "Express", "Bay", "Star", "Tower", "Arrow", "Link", "Spirit", "Crown"],
  bulk: ["Fortune", "Grain", "Ore", "Trust", "Hope", "Wealth", "Harvest", "Cape", "Delta"],
  ro_ro: ["Highway", "Leader", "Ace", "Carrier", "Drive", "Route", "Runner", "Wheel", "Transit"],
  break_bulk: ["Trader", "Lifter", "Merchant", "Forest", "Progress", "Craft", "Hoist", "Scan", "Venture"],
} as const satisfies Record<CargoType, readonly string[]>;

const fleetSize = words.length * kinds.container.length;
