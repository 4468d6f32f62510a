/** Trade lanes with their base prices: one line per price of a lane. */
import { z } from "zod";
import { code, currency, day, haul, name, price } from "./cells.ts";
import type { ImportFormat } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

/** What operators say of a trade lane, in a file or a form. */
export const tradeLaneFields = { name, origin_region_code: code, destination_region_code: code, haul };

/** A base price, and the first day on which it applies. */
export const lanePriceFields = { base_price: price, valid_from: day };

const tradeLaneLine = z.object({ code, ...tradeLaneFields, ...lanePriceFields, currency: currency.optional() });

export const tradeLanes = {
  syntax: "csv",
  columns: {
    required: ["code", "name", "origin_region_code", "destination_region_code", "haul", "base_price", "valid_from"],
    optional: ["currency"],
  },
  template: "trade-lanes.csv",
  about: "One line per base price of a trade lane: US dollars per month of weekly data. Past prices cannot be changed.",
  staging: {
    code: "text",
    name: "text",
    origin_region_code: "text",
    destination_region_code: "text",
    haul: "haul",
    base_price_cents: "integer",
    valid_from: "date",
  },
  parseRow(values, note) {
    const line = parsedRow(tradeLaneLine, values, note);
    if (!line) return null;
    const { base_price, currency: _, ...lane } = line;
    return { ...lane, base_price_cents: base_price };
  },
} satisfies ImportFormat;
