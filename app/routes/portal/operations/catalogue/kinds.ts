/** The kinds of records in addresses and in words. */
import { type RecordKind, recordKinds } from "#app/domain/catalogue/record-kinds.ts";

type KindWords = { path: string; one: string; many: string };

export const kindWords: Record<RecordKind, KindWords> = {
  region: { path: "regions", one: "region", many: "Regions" },
  port: { path: "ports", one: "port", many: "Ports" },
  carrier: { path: "carriers", one: "carrier", many: "Carriers" },
  trade_lane: { path: "trade-lanes", one: "trade lane", many: "Trade lanes" },
  route_group: { path: "route-groups", one: "route group", many: "Route groups" },
  route: { path: "routes", one: "route", many: "Routes" },
  period: { path: "periods", one: "period", many: "Periods" },
};

/** @throws 404 for anything else */
export const kindOf = (path: string | undefined): RecordKind => {
  const kind = recordKinds.find((each) => kindWords[each].path === path);
  if (kind === undefined) throw new Response("Not found", { status: 404 });
  return kind;
};

export const listOf = (kind: RecordKind): string => `/operations/catalogue/${kindWords[kind].path}`;
