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

/** Whether it sets the price today, or will on a later day. */
export const isStanding = ({ validTo, endedAt }: Pick<PriceOverride, "validTo" | "endedAt">, today: Day): boolean =>
  endedAt === null && (validTo === null || validTo > today);
