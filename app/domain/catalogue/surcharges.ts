/** Surcharges and what they add to a rate. */
import type { Day } from "../dates.ts";

export type Surcharge = {
  code: string;
  name: string;
  amountCents: number;
  currency: string;
  /**
   * per_container, per_teu, per_tonne, per_lane_metre or per_freight_tonne. per_bl and per_day are not part of a rate.
   */
  basis: string;
  mandatory: boolean;
  validFrom: Day;
  /** The last day. Null: open-ended. */
  validTo: Day | null;
};

/** Cents that mandatory surcharges valid on a day add to one unit of a rate, by the rate's own basis or per TEU. */
export const mandatorySurchargesCents = (
  surcharges: readonly Surcharge[],
  rate: { basis: string; equipmentType: string },
  day: Day,
): number =>
  surcharges
    .filter((surcharge) => surcharge.mandatory && inForce(surcharge, day))
    .reduce((sum, { amountCents, basis }) => sum + amountCents * unitsOf(basis, rate), 0);

const inForce = ({ validFrom, validTo }: Surcharge, day: Day) =>
  validFrom <= day && (validTo === null || day <= validTo);

const unitsOf = (basis: string, rate: { basis: string; equipmentType: string }): number => {
  if (basis === rate.basis) return 1;
  if (basis === "per_teu" && rate.basis === "per_container") return rate.equipmentType.startsWith("2") ? 1 : 2;
  return 0;
};
