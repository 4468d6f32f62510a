/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

/** What has changed. */
export const changeTypes = [
  "reports_added",
  "reports_corrected",
  "reports_removed",
  "rates_changed",
  "surcharges_changed",
  "schedule_changed",
  "route_added",
  "route_changed",
  "period_opened",
  "period_changed",
] as const;

/** Who has written it: an import, the feed of data, an operator, or the turn of a period. */
export const changeSources = ["import", "feed", "operator", "calendar"] as const;
