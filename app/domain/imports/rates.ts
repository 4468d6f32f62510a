/** Rates: one line per base rate or surcharge of a route. */
import { z } from "zod";
import { noExchangeRate } from "../catalogue/exchange-rates.ts";
import { currency as catalogueCurrency } from "../money.ts";
import { amountIn, anyCurrency, because, code, currency, day, dayOrNone, isCurrency, serviceLevel } from "./cells.ts";
import type { ImportFormat } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

const surchargeBases = [
  "per_container",
  "per_teu",
  "per_tonne",
  "per_lane_metre",
  "per_freight_tonne",
  "per_bl",
  "per_day",
] as const;

const baseRate = "BAS";

const shared = {
  route_code: code,
  valid_from: day,
  valid_to: dayOrNone,
  charge_code: z
    .string()
    .regex(/^[A-Z0-9]{2,8}$/, "Enter a charge code of 2 to 8 capital letters or digits, such as BAF"),
  equipment_type: z.string().default(""),
};

const rateLine = z
  .discriminatedUnion(
    "charge_type",
    [
      z.object({ ...shared, charge_type: z.literal("base"), service_level: serviceLevel, currency, basis: z.string() }),
      z.object({
        ...shared,
        charge_type: z.literal("surcharge"),
        service_level: z.string().default(""),
        currency: anyCurrency,
        basis: z.enum(surchargeBases, `Unknown basis. Enter one of ${surchargeBases.join(", ")}`),
      }),
    ],
    "Enter base or surcharge",
  )
  .refine(({ valid_from, valid_to }) => valid_to === null || valid_to >= valid_from, {
    ...because("contradiction", "Before valid_from. Enter the last day on which the charge is valid"),
    path: ["valid_to"],
  })
  .refine(({ charge_type, charge_code }) => charge_type !== "base" || charge_code === baseRate, {
    ...because("contradiction", "A base rate has the code BAS. Correct the code, or enter surcharge as the type"),
    path: ["charge_code"],
  })
  .refine(({ charge_type, charge_code }) => charge_type !== "surcharge" || charge_code !== baseRate, {
    ...because("contradiction", "BAS is the code of the base rate. Correct the code, or enter base as the type"),
    path: ["charge_code"],
  });

/** A cell in the currency of its line. */
const amountCell = (currency: unknown) => {
  const code = isCurrency(currency) ? currency : catalogueCurrency;
  const cell = amountCells.get(code) ?? z.object({ amount: amountIn(code) });
  amountCells.set(code, cell);
  return cell;
};

/** By currency. Making a schema takes far longer than using it. */
const amountCells = new Map<string, z.ZodObject<{ amount: ReturnType<typeof amountIn> }>>();

export const rates = {
  syntax: "csv",
  columns: {
    required: ["route_code", "valid_from", "charge_type", "charge_code", "amount", "currency", "basis"],
    optional: ["service_level", "valid_to", "equipment_type"],
  },
  template: "rates.csv",
  about:
    "One line per base rate or surcharge. It replaces a rate with the same first day; an earlier rate ends the day before. A surcharge can be in another currency if there is an exchange rate to USD for its first day.",
  staging: {
    route_code: "text",
    // Both empty for a surcharge, which is the same for all service levels and equipment.
    service_level: "text",
    equipment_type: "text",
    charge_code: "text",
    amount_cents: "integer",
    currency: "text",
    // Null for an amount in the catalogue's currency.
    exchange_rate: "numeric",
    exchange_rate_as_of: "date",
    exchange_rate_source: "text",
    basis: "text",
    valid_from: "date",
    valid_to: "date",
  },
  parseRow(values, note, { findExchangeRate }) {
    const line = parsedRow(rateLine, values, note);
    const cell = parsedRow(amountCell(values.currency), values, note);
    if (!line || !cell) return null;
    const { route_code, charge_code, currency, basis, valid_from, valid_to } = line;
    const isForeign = currency !== catalogueCurrency;
    const applied = isForeign ? findExchangeRate(currency, catalogueCurrency, valid_from) : null;
    if (applied === undefined) {
      note.error("currency", "no_exchange_rate", noExchangeRate(currency, catalogueCurrency, valid_from));
      return null;
    }
    const charge = {
      ...{ route_code, charge_code, amount_cents: cell.amount, currency, basis, valid_from, valid_to },
      exchange_rate: applied?.rate ?? null,
      exchange_rate_as_of: applied?.asOf ?? null,
      exchange_rate_source: applied?.source ?? null,
    };
    return line.charge_type === "base"
      ? { ...charge, service_level: line.service_level, equipment_type: line.equipment_type }
      : { ...charge, service_level: "", equipment_type: "" };
  },
} as const satisfies ImportFormat;

/** The usual names of surcharges. */
export const surchargeNames: Readonly<Record<string, string>> = {
  BAF: "Bunker Adjustment Factor",
  CAF: "Currency Adjustment Factor",
  CGS: "Port Congestion Surcharge",
  DOC: "Documentation fee",
  DTHC: "Terminal Handling Charge – Destination",
  ETS: "EU Emissions Trading System surcharge",
  GRI: "General Rate Increase",
  ISPS: "International Ship and Port Facility Security charge",
  LSS: "Low Sulphur Surcharge",
  OTHC: "Terminal Handling Charge – Origin",
  PCS: "Panama Canal Surcharge",
  PSS: "Peak Season Surcharge",
  SCS: "Suez Canal Surcharge",
  WRS: "War Risk Surcharge",
};
