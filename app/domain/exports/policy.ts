/** What exports cost and how large they may be. */

/** A file of reports counts as one request for every so many rows, or part of them, */
export const rowsPerRequest = 1_000;
/** and as this many at most: half of the smallest plan's hour. */
export const mostRequests = 500;

export const requestCostOf = (rows: number): number =>
  Math.min(mostRequests, Math.max(1, Math.ceil(rows / rowsPerRequest)));

/** Routes that one request may name. */
export const maxExportedRoutes = 100;

/** A workbook is built in memory, and people read it. Longer exports are CSV. */
export const mostWorkbookRows = 20_000;
