/** What the database does with the rows of each kind of file. */
import { carrierSteps } from "./carriers-queries.server.ts";
import type { ImportKind } from "./formats.ts";
import type { ImportSteps } from "./kind.server.ts";
import { rateSteps, routeSteps } from "./planned.server.ts";
import { reportSteps } from "./reports-queries.server.ts";

export const stepsOf: Record<ImportKind, ImportSteps> = {
  carriers: carrierSteps,
  routes: routeSteps,
  rates: rateSteps,
  reports: reportSteps,
};
