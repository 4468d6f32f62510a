/** Surcharges and what they add to a rate. */
import type { Day } from "../dates.ts";
import { currency } from "../money.ts";
import { teuOf } from "./equipment.ts";
import { surchargesTotalCents } from "./rate-report.ts";
import type { AppliedExchangeRate, ReportedSurcharge } from "./reported-surcharge.ts";

export type Surcharge = {
  code: string;
  name: string;
  /** In minor units of `currency`. */
  amountCents: number;
  currency: string;
  /** Present if the currency is not that of base rates. */
  exchangeRate?: AppliedExchangeRate | null | undefined;
  /**
   * per_container, per_teu, per_tonne, per_lane_metre or per_freight_tonne. per_bl and per_day are not part of a rate.
   */
  basis: string;
  mandatory: boolean;
  validFrom: Day;
  /** The last day. Null: open-ended. */
  validTo: Day | null;
};

type RatedUnit = { basis: string; equipmentType: string };

/**
 * The mandatory surcharges valid on a day, with what each adds to one unit of a rate, by the rate's own basis or per TEU.
 * Those in another currency keep it, with their exchange rate.
 */
export const mandatorySurchargesOn = (
  surcharges: readonly Surcharge[],
  rate: RatedUnit,
  day: Day,
): ReportedSurcharge[] =>
  surcharges
    .filter((surcharge) => surcharge.mandatory && inForce(surcharge, day))
    .map(({ code, amountCents, basis, currency, exchangeRate }) => ({
      code,
      amountCents: amountCents * unitsOf(basis, rate),
      ...(exchangeRate ? { currency, exchangeRate } : {}),
    }))
    .filter(({ amountCents }) => amountCents > 0);

/** Their total, in the currency of base rates. */
export const mandatorySurchargesCents = (surcharges: readonly Surcharge[], rate: RatedUnit, day: Day): number =>
  surchargesTotalCents(mandatorySurchargesOn(surcharges, rate, day), currency);

const inForce = ({ validFrom, validTo }: Surcharge, day: Day) =>
  validFrom <= day && (validTo === null || day <= validTo);

const unitsOf = (basis: string, rate: RatedUnit): number => {
  if (basis === rate.basis) return 1;
  if (basis === "per_teu" && rate.basis === "per_container") return teuOf(rate.equipmentType);
  return 0;
};
