/** What the database does with the rows of each kind of file. */
import { carrierSteps } from "./carriers-queries.server.ts";
import type { ImportKind } from "./formats.ts";
import type { ImportSteps } from "./kind.server.ts";
import { periodSteps } from "./periods-queries.server.ts";
import { portSteps } from "./ports-queries.server.ts";
import { rateSteps } from "./rates-queries.server.ts";
import { reportSteps } from "./reports-queries.server.ts";
import { routeGroupSteps } from "./route-groups-queries.server.ts";
import { routeSteps } from "./routes.server.ts";
import { scheduleSteps } from "./schedules-queries.server.ts";
import { tradeLaneSteps } from "./trade-lanes-queries.server.ts";

export const stepsOf: Record<ImportKind, ImportSteps> = {
  ports: portSteps,
  carriers: carrierSteps,
  trade_lanes: tradeLaneSteps,
  route_groups: routeGroupSteps,
  routes: routeSteps,
  periods: periodSteps,
  rates: rateSteps,
  schedules: scheduleSteps,
  reports: reportSteps,
};
