import type { Day } from "../dates.ts";
import type { priceOverrideKinds } from "./enums.ts";

export type PriceOverrideKind = (typeof priceOverrideKinds)[number];

/** A price that an operator set in place of the calculated one. */
export type PriceOverride = {
  id: number;
  kind: PriceOverrideKind;
  monthlyCents: number;
  /** For operators only. */
  reason: string;
  validFrom: Day;
  /** Exclusive. Null: until it is released. */
  validTo: Day | null;
  /** When it was released or replaced before its time. */
  endedAt: Date | null;
  /** Null: set by command on the machine. */
  operator: string | null;
};

/** `ended`: released, or replaced before its time. */
export type PriceOverrideState = "scheduled" | "in_force" | "expired" | "ended";

export const overrideState = (
  { validFrom, validTo, endedAt }: Pick<PriceOverride, "validFrom" | "validTo" | "endedAt">,
  today: Day,
): PriceOverrideState => {
  if (endedAt !== null) return "ended";
  if (validTo !== null && validTo <= today) return "expired";
  return validFrom > today ? "scheduled" : "in_force";
};
