/** Writes imported sailings. The caller's transaction holds the catalogue's lock. */
export { upsertSailings } from "./import-queries.server.ts";
