/** When a sailing arrives, for each service level of its route. */
import { portDay } from "../catalogue/port-time.ts";
import type { ServiceLevelName } from "../catalogue/route.ts";
import { addDays, type Day } from "../dates.ts";
import type { Sailing } from "./sailing.ts";

type Route = {
  origin: { timezone: string };
  destination: { timezone: string };
  levels: readonly { level: ServiceLevelName; transitDays: number }[];
};

/**
 * Days by the clocks of the ports. The sailing's own level arrives as published, the others after the route's transit days
 * for them.
 */
export const sailingDays = (
  sailing: Pick<Sailing, "etd" | "eta" | "serviceLevel">,
  { origin, destination, levels }: Route,
): { departsOn: Day; arrivals: { level: ServiceLevelName; on: Day }[] } => {
  const departsOn = portDay(sailing.etd, origin.timezone);
  const arrivals = levels.map(({ level, transitDays }) => ({
    level,
    on: level === sailing.serviceLevel ? portDay(sailing.eta, destination.timezone) : addDays(departsOn, transitDays),
  }));
  return { departsOn, arrivals };
};
