/** Carriers files: one line per carrier. */
import { z } from "zod";
import { cargoTypeList, code, name } from "./cells.ts";
import type { ImportFormat } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

const line = z.object({ code, name, cargo_types: cargoTypeList });

export const carriers = {
  syntax: "csv",
  columns: { required: ["code", "name", "cargo_types"], optional: [] },
  template: "carriers.csv",
  about: "A line for each carrier.",
  staging: { code: "text", name: "text", cargo_types: "cargo_type[]" },
  parseRow: (values, note) => parsedRow(line, values, note),
} as const satisfies ImportFormat<z.output<typeof line>>;
