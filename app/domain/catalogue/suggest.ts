/** What autocompletion offers: ports, and port pairs with routes between them. */
import { z } from "zod";
import { type PortSummary, unlocode } from "./browse.ts";
import type { Directory } from "./search-vocabulary.ts";
import { maxSearchWords, searchText } from "./search-words.ts";

type Place = Pick<PortSummary, "unlocode" | "name" | "countryCode" | "country">;

/** The ports of a catalogue, by id. */
export const placesIn = ({ ports }: Pick<Directory, "ports">): ((id: number) => Place) => {
  const byId = new Map(ports.map((port) => [port.id, port]));
  return (id) => {
    const port = byId.get(id);
    if (!port) throw new Error(`Port ${id} is not in the directory`);
    const { unlocode, name, countryCode, country } = port;
    return { unlocode, name, countryCode, country };
  };
};

export type PortSuggestion = Place & { departingRoutes: number; arrivingRoutes: number };
export type PairSuggestion = { origin: Place; destination: Place; routes: number };
export type Suggestions = { ports: PortSuggestion[]; pairs: PairSuggestion[] };

export const suggestionQuery = z.object({
  q: searchText.min(1).meta({
    description: `The text typed so far, at most ${maxSearchWords} words: the beginning of a port's name, code or alias, or of its country or region. For port pairs, of both ports.`,
    example: "shanghai rott",
  }),
  origin: unlocode.optional().meta({ description: "Only ports with routes from this port.", example: "CNSHA" }),
  destination: unlocode.optional().meta({ description: "Only ports with routes to this port.", example: "NLRTM" }),
});
export type SuggestionQuery = z.infer<typeof suggestionQuery>;

export const suggestionLimits = { default: 8, most: 20 } as const;
