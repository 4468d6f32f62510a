import type { Context } from "../context.ts";
import { indexedCatalogue } from "./search-index.server.ts";
import { placesIn, type SuggestionQuery, type Suggestions } from "./suggest.ts";

/** Ports and port pairs for what has been typed so far, best first, at most `limit` of each. Tolerates typing errors. */
export const suggestPlaces = async (
  ctx: Pick<Context, "db" | "clock">,
  { q, origin, destination }: SuggestionQuery,
  limit: number,
): Promise<Suggestions> => {
  const { directory, index } = await indexedCatalogue(ctx);
  const placeOf = placesIn(directory);
  return {
    ports: index.ports
      .find(q, limit, { from: origin, to: destination })
      .map(({ id, ...routes }) => ({ ...placeOf(id), ...routes })),
    pairs: index.ports.findPairs(q, limit).map(({ originId, destinationId, routes }) => ({
      origin: placeOf(originId),
      destination: placeOf(destinationId),
      routes,
    })),
  };
};
