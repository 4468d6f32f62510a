/** Route groups: one line per group. */
import { z } from "zod";
import { cargoType, code, name } from "./cells.ts";
import type { ImportFormat } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

/** What operators say of a route group, in a file or a form. */
export const routeGroupFields = { name, trade_lane_code: code, cargo_type: cargoType };

const routeGroupLine = z.object({ code, ...routeGroupFields });

export const routeGroups = {
  syntax: "csv",
  columns: { required: ["code", "name", "trade_lane_code", "cargo_type"], optional: [] },
  template: "route-groups.csv",
  about:
    "One line per route group. Its trade lane must exist. You cannot change the cargo type of a group that has routes.",
  staging: { code: "text", name: "text", trade_lane_code: "text", cargo_type: "cargo_type" },
  parseRow: (values, note) => parsedRow(routeGroupLine, values, note),
} satisfies ImportFormat;
