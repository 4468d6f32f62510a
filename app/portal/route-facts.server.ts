import { routeLabels } from "../domain/catalogue/browse.server.ts";
import type { Context } from "../domain/context.ts";
import { formatWord } from "./format.ts";

/** Distinguishes routes between the same ports: carrier and cargo types. */
export type RouteFacts = { carrier: string; cargo: string };

type ListedFacts = RouteFacts & { name: string; code: string; tradeLane: string };

const unknown: ListedFacts = { name: "", code: "", carrier: "", cargo: "", tradeLane: "" };

/** By route id; also for routes that no longer exist. */
export const routeFacts = async (
  ctx: Pick<Context, "db">,
  routeIds: readonly number[],
): Promise<(routeId: number) => ListedFacts> => {
  const labels = await routeLabels(ctx, [...new Set(routeIds)]);
  return (routeId) => {
    const label = labels.get(routeId);
    if (!label) return unknown;
    const { name, code, carrier, cargoType, tradeLane } = label;
    return { name, code, carrier, cargo: formatWord(cargoType), tradeLane: tradeLane.name };
  };
};
