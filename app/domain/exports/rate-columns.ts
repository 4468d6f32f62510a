/** What routes charge, one row for each base rate and surcharge. */
import { convertedCents } from "../catalogue/exchange-rates.ts";
import type { Surcharge } from "../catalogue/surcharges.ts";
import type { Day } from "../dates.ts";
import { currency as baseCurrency } from "../money.ts";
import type { ExportedRoute } from "./report-row.ts";
import type { ExportColumn } from "./table.ts";

export type BaseRate = {
  serviceLevel: string;
  /** Empty for cargo other than containers. */
  equipmentType: string;
  basis: string;
  amountCents: number;
  currency: string;
  validFrom: Day;
  /** The last day. Null: open-ended. */
  validTo: Day | null;
};

export type RateRow = { route: ExportedRoute } & (
  | ({ kind: "base_rate" } & BaseRate)
  | ({ kind: "surcharge" } & Surcharge)
);

export const rateColumns: ExportColumn<RateRow>[] = [
  { name: "route_id", kind: "integer", value: ({ route }) => route.id },
  { name: "route_code", kind: "text", value: ({ route }) => route.code },
  { name: "route_name", kind: "text", value: ({ route }) => route.name },
  { name: "trade_lane", kind: "text", value: ({ route }) => route.tradeLaneCode },
  { name: "carrier", kind: "text", value: ({ route }) => route.carrierCode },
  { name: "origin", kind: "text", value: ({ route }) => route.origin },
  { name: "destination", kind: "text", value: ({ route }) => route.destination },
  { name: "charge", kind: "text", value: ({ kind }) => kind },
  { name: "service_level", kind: "text", value: (row) => (row.kind === "base_rate" ? row.serviceLevel : null) },
  { name: "equipment_type", kind: "text", value: (row) => (row.kind === "base_rate" && row.equipmentType) || null },
  { name: "surcharge_code", kind: "text", value: (row) => (row.kind === "surcharge" ? row.code : null) },
  { name: "surcharge_name", kind: "text", value: (row) => (row.kind === "surcharge" ? row.name : null) },
  {
    name: "mandatory",
    kind: "text",
    value: (row) => (row.kind === "base_rate" ? null : row.mandatory ? "yes" : "no"),
  },
  { name: "basis", kind: "text", value: ({ basis }) => basis },
  {
    name: "amount_cents",
    kind: "cents",
    value: ({ amountCents }) => amountCents,
    currency: ({ currency }) => currency,
  },
  { name: "currency", kind: "text", value: ({ currency }) => currency },
  {
    name: `amount_${baseCurrency.toLowerCase()}_cents`,
    kind: "cents",
    value: (row) => (row.kind === "base_rate" ? row.amountCents : convertedCents(row, baseCurrency)),
  },
  { name: "exchange_rate", kind: "text", value: (row) => appliedRate(row)?.rate ?? null },
  { name: "exchange_rate_as_of", kind: "day", value: (row) => appliedRate(row)?.asOf ?? null },
  { name: "exchange_rate_source", kind: "text", value: (row) => appliedRate(row)?.source ?? null },
  { name: "valid_from", kind: "day", value: ({ validFrom }) => validFrom },
  { name: "valid_to", kind: "day", value: ({ validTo }) => validTo },
];

const appliedRate = (row: RateRow) => (row.kind === "surcharge" ? row.exchangeRate : null);
