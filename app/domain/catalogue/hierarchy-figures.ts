/** Figures of regions, trade lanes and route groups, from the routes of the search index. */
import type { CheapestRoute, Figures } from "./hierarchy.ts";
import type { IndexedRoute } from "./search-columns.ts";
import type { Directory, GroupEntry, LaneEntry } from "./search-vocabulary.ts";

export type Level = "region" | "tradeLane" | "routeGroup";

type Catalogue = { directory: Directory; routes: ReadonlyMap<number, IndexedRoute> };

/** What is under a node and not retired. */
type Part = { lanes: Set<number>; groups: Set<number>; routes: IndexedRoute[] };
type Summed = Omit<Figures, "cheapest"> & { part: Part };

/**
 * The figures of each node of a level, by its id.
 *
 * @param apartRouteIds routes that get a `cheapest` of their own
 */
export const figuresOf = (
  catalogue: Catalogue,
  level: Level,
  apartRouteIds: readonly number[] = [],
): ((id: number) => Figures) => {
  const summed = keptSums(catalogue, level);
  const apart = new Set(apartRouteIds);
  return (id) => {
    const { part, ...figures } = summed.get(id) ?? sumsOf(newPart());
    return { ...figures, cheapest: cheapestOf(part.routes, apart) };
  };
};

/** A catalogue does not change once it has been read. */
const keptSums = (catalogue: Catalogue, level: Level): ReadonlyMap<number, Summed> => {
  const kept = sumsByCatalogue.get(catalogue) ?? {};
  sumsByCatalogue.set(catalogue, kept);
  kept[level] ??= new Map([...partsOf(catalogue, level)].map(([id, part]) => [id, sumsOf(part)]));
  return kept[level];
};
const sumsByCatalogue = new WeakMap<Catalogue, Partial<Record<Level, ReadonlyMap<number, Summed>>>>();

const newPart = (): Part => ({ lanes: new Set(), groups: new Set(), routes: [] });

/** The node of a level that a group counts for. A node does not count what is retired below it. */
const nodeOf: Record<Level, (group: GroupEntry, lane: LaneEntry) => number | null> = {
  region: (group, lane) => (group.isRetired || lane.isRetired ? null : lane.regionId),
  tradeLane: (group) => (group.isRetired ? null : group.laneId),
  routeGroup: (group) => group.id,
};

const partsOf = ({ directory: { lanes, groups }, routes }: Catalogue, level: Level): Map<number, Part> => {
  const parts = new Map<number, Part>();
  const partOf = (id: number): Part => {
    const part = parts.get(id) ?? newPart();
    parts.set(id, part);
    return part;
  };
  const laneById = new Map(lanes.map((lane) => [lane.id, lane]));
  // Lanes without groups count too.
  for (const { id, regionId, isRetired } of lanes) {
    if (level === "region" && !isRetired) partOf(regionId).lanes.add(id);
    if (level === "tradeLane") partOf(id).lanes.add(id);
  }
  const partByGroup = new Map<number, Part>();
  for (const group of groups) {
    const lane = laneById.get(group.laneId);
    const node = lane ? nodeOf[level](group, lane) : null;
    if (node === null) continue;
    const part = partOf(node);
    part.lanes.add(group.laneId);
    part.groups.add(group.id);
    partByGroup.set(group.id, part);
  }
  for (const route of routes.values()) partByGroup.get(route.groupId)?.routes.push(route);
  return parts;
};

const sumsOf = (part: Part): Summed => ({
  routes: part.routes.length,
  tradeLanes: part.lanes.size,
  routeGroups: part.groups.size,
  carriers: new Set(part.routes.map(({ carrierId }) => carrierId)).size,
  medianTransitDays: medianOf(part.routes.flatMap(({ transitDays }) => transitDays ?? [])),
  sailingsPerWeek: rounded(part.routes.reduce((sum, { sailingsPerWeek }) => sum + sailingsPerWeek, 0)),
  priceFromCents: part.routes.reduce<number | null>(
    (least, { monthlyCents }) => (monthlyCents === null ? least : Math.min(least ?? monthlyCents, monthlyCents)),
    null,
  ),
  part,
});

/** With an even number of values, the mean of the middle two. */
const medianOf = (values: number[]): number | null => {
  const sorted = values.sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
};

/** Sums of fractions such as 0.1 are slightly off. */
const rounded = (sum: number): number => Math.round(sum * 1e6) / 1e6;

/** At most two: the cheapest of the other routes and of those apart; at equal prices, the one with the lower id. */
const cheapestOf = (routes: readonly IndexedRoute[], apart: ReadonlySet<number>): CheapestRoute[] => {
  let [ofOthers, ofApart]: (CheapestRoute | undefined)[] = [];
  for (const { id, monthlyCents } of routes) {
    if (monthlyCents === null) continue;
    const route = { routeId: id, monthlyCents };
    if (apart.has(id)) ofApart = cheaper(route, ofApart);
    else ofOthers = cheaper(route, ofOthers);
  }
  return [ofOthers, ofApart].flatMap((route) => route ?? []);
};

const cheaper = (a: CheapestRoute, b: CheapestRoute | undefined): CheapestRoute =>
  b === undefined || a.monthlyCents < b.monthlyCents || (a.monthlyCents === b.monthlyCents && a.routeId < b.routeId)
    ? a
    : b;
