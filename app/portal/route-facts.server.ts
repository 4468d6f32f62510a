import { summariesOf } from "../domain/catalogue/browse.server.ts";
import type { Context } from "../domain/context.ts";
import { formatWord } from "./format.ts";

/** Distinguishes routes between the same ports: carrier and cargo types. */
export type RouteFacts = { carrier: string; cargo: string };

type ListedFacts = RouteFacts & { name: string; code: string; tradeLane: string };

const unknown: ListedFacts = { name: "", code: "", carrier: "", cargo: "", tradeLane: "" };

/** By route id; also for routes that no longer exist. */
export const routeFacts = async (
  ctx: Pick<Context, "db" | "clock">,
  routeIds: readonly number[],
): Promise<(routeId: number) => ListedFacts> => {
  const summaries = await summariesOf(ctx, [...new Set(routeIds)]);
  const known = new Map(
    summaries.map(({ id, name, code, carrier, cargoType, tradeLane }) => [
      id,
      { name, code, carrier: carrier.name, cargo: formatWord(cargoType), tradeLane: tradeLane.name },
    ]),
  );
  return (routeId) => known.get(routeId) ?? unknown;
};
