import { summariesOf } from "../domain/catalogue/browse.server.ts";
import type { Context } from "../domain/context.ts";
import { formatWord } from "./format.ts";

/** Distinguishes routes between the same ports: carrier and cargo types. */
export type RouteFacts = { carrier: string; cargo: string };

const unknown = { name: "", carrier: "", cargo: "" };

/** By route id; also for routes that no longer exist. */
export const routeFacts = async (
  ctx: Pick<Context, "db" | "clock">,
  routeIds: readonly number[],
): Promise<(routeId: number) => RouteFacts & { name: string }> => {
  const summaries = await summariesOf(ctx, [...new Set(routeIds)]);
  const known = new Map(
    summaries.map(({ id, name, carrier, cargoType }) => [
      id,
      { name, carrier: carrier.name, cargo: formatWord(cargoType) },
    ]),
  );
  return (routeId) => known.get(routeId) ?? unknown;
};
