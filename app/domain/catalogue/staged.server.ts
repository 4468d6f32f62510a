/** Writes staged rows of imports into the catalogue, as the work of `changeCatalogue`. */
export {
  linkSuccessors,
  noteWritten,
  supersedeBaseRates,
  supersedeSurcharges,
  upsertCarriers,
  upsertLanePrices,
  upsertPeriods,
  upsertPorts,
  upsertRouteGroups,
  upsertTradeLanes,
  writeRoutes,
} from "./import-queries.server.ts";
export { reportFigures, writeStagedReports } from "./staged-queries.server.ts";
