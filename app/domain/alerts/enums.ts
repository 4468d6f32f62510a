/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

export const alertKinds = [
  "rate_change",
  "all_in_below",
  "all_in_above",
  "capacity_below",
  "booking_status",
  "schedule_slip",
  "data_stale",
] as const;

/** When alerts are sent by e-mail. */
export const mailCadences = ["off", "daily", "hourly", "at_once"] as const;
