/** Carriers: one line per carrier. */
import { z } from "zod";
import { cargoTypeList, code, name } from "./cells.ts";
import type { ImportFormat } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

/** What operators say of a carrier, in a file or a form. */
export const carrierFields = { name, cargo_types: cargoTypeList };

const carrierLine = z.object({ code, ...carrierFields });

export const carriers = {
  syntax: "csv",
  columns: { required: ["code", "name", "cargo_types"], optional: [] },
  template: "carriers.csv",
  about: "One line per carrier, with all its cargo types.",
  staging: { code: "text", name: "text", cargo_types: "cargo_type[]" },
  parseRow: (values, note) => parsedRow(carrierLine, values, note),
} satisfies ImportFormat;
