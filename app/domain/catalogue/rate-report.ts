/** Rate reports: a base rate per unit, and surcharges on it that may be in other currencies. */
import type { Day } from "../dates.ts";
import { equipmentCode } from "./equipment.ts";
import { convertedCents, type FindExchangeRate, noExchangeRate } from "./exchange-rates.ts";
import type { ReportedSurcharge } from "./reported-surcharge.ts";
import { type CargoType, type RateBasis, rateBasis } from "./route.ts";

/** In the currency of the base rate. */
export const surchargesTotalCents = (surcharges: readonly ReportedSurcharge[], currency: string): number =>
  surcharges.reduce((sum, surcharge) => sum + convertedCents(surcharge, currency), 0);

/** Null: the base rate or the surcharges are unknown. */
export const allInCents = (report: { baseRateCents: number | null; surchargesCents: number | null }): number | null =>
  report.baseRateCents === null || report.surchargesCents === null
    ? null
    : report.baseRateCents + report.surchargesCents;

/** A rate as an operator reports it. */
export type WrittenRate = {
  /** Empty or absent for cargo other than containers. */
  equipmentType?: string | null | undefined;
  basis: string;
  currency: string;
  /** `currency` absent: that of the base rate. */
  surcharges: readonly { code: string; amountCents: number; currency?: string | null | undefined }[];
};

export type RateUnits = {
  equipmentType: string;
  basis: RateBasis;
  currency: string;
  surcharges: ReportedSurcharge[];
};

export type RateProblem = {
  /** The field, such as `basis` or `surcharges.0.currency`. */
  path: string;
  reason: "wrong_basis" | "wrong_equipment_type" | "duplicate_code" | "no_exchange_rate";
  message: string;
};

/**
 * Checks a reported rate against the cargo type of its route, and looks up the exchange rates of surcharges in other
 * currencies.
 *
 * @param observedOn exchange rates of later days do not apply; only asked for surcharges in other currencies
 */
export const checkedRate = (
  cargoType: CargoType,
  { equipmentType, basis, currency, surcharges }: WrittenRate,
  { observedOn, findExchangeRate }: { observedOn: () => Day; findExchangeRate: FindExchangeRate },
): { rate: RateUnits; problems: RateProblem[] } => {
  const problems: RateProblem[] = [];
  const refuse = (path: string, reason: RateProblem["reason"], message: string) =>
    problems.push({ path, reason, message });
  const equipment = equipmentType ?? "";
  const ownBasis = rateBasis[cargoType];
  if (basis !== ownBasis)
    refuse("basis", "wrong_basis", `Rates of ${cargoType} cargo are ${ownBasis}. Enter that basis`);
  if (cargoType === "container" && !equipmentCode.test(equipment)) {
    refuse("equipment_type", "wrong_equipment_type", "Enter an ISO 6346 size and type code, such as 45G1");
  }
  if (cargoType !== "container" && equipment !== "") {
    refuse("equipment_type", "wrong_equipment_type", "Only container rates have an equipment type. Leave it out");
  }
  const codes = surcharges.map(({ code }) => code);
  const checked = surcharges.map(({ code, amountCents, currency: own }, i): ReportedSurcharge => {
    if (codes.indexOf(code) !== i)
      refuse(`surcharges.${i}.code`, "duplicate_code", `${code} is there already. Add up the amounts`);
    if (!own || own === currency) return { code, amountCents };
    const exchangeRate = findExchangeRate(own, currency, observedOn());
    if (!exchangeRate) {
      refuse(`surcharges.${i}.currency`, "no_exchange_rate", noExchangeRate(own, currency, observedOn()));
    }
    return { code, amountCents, currency: own, exchangeRate };
  });
  return { rate: { equipmentType: equipment, basis: ownBasis, currency, surcharges: checked }, problems };
};
