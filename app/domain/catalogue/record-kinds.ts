/** The kinds of catalogue records that operators keep, from the top of the hierarchy down. */
export const recordKinds = ["region", "port", "carrier", "trade_lane", "route_group", "route", "period"] as const;

export type RecordKind = (typeof recordKinds)[number];
