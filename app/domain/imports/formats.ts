/** Every kind of file that can be imported, in the order in which an empty catalogue takes them. */
import { carriers } from "./carriers.ts";
import type { ImportFormat } from "./kind.ts";
import { periods } from "./periods.ts";
import { ports } from "./ports.ts";
import { rates } from "./rates.ts";
import { reports } from "./reports.ts";
import { routeGroups } from "./route-groups.ts";
import { routes } from "./routes.ts";
import { schedules } from "./schedules.ts";
import { tradeLanes } from "./trade-lanes.ts";

export const formats = {
  ports,
  carriers,
  trade_lanes: tradeLanes,
  route_groups: routeGroups,
  routes,
  periods,
  rates,
  schedules,
  reports,
} as const satisfies Record<string, ImportFormat>;

export type ImportKind = keyof typeof formats;
export const importKinds = Object.keys(formats) as [ImportKind, ...ImportKind[]];

export const allColumns = ({ columns }: ImportFormat): readonly string[] => [...columns.required, ...columns.optional];
