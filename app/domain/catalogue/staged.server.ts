/** Writes staged rows of imports into the catalogue, as the work of `changeCatalogue`. */
export { writeStagedCarriers, writeStagedReports } from "./staged-queries.server.ts";
