/** Ports as people name them. */
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { unlocode } from "./browse.ts";
import { indexedCatalogue } from "./search-index.server.ts";
import type { PortEntry } from "./search-vocabulary.ts";
import { maxSearchWords, searchWords } from "./search-words.ts";

/** Ports that are named in the message if several match. */
const matchesNamed = 4;

/** The code at the end of "Shanghai (CNSHA)", as fields show ports. */
const codeInLabel = /\(([A-Za-z0-9]{5})\)\s*$/;

/**
 * The port with this UN/LOCODE (alternates too) or name. Words of a name do if only one port has them.
 *
 * @param field of the form
 * @throws invalid if no port matches, or several do
 */
export const findPort = async (ctx: Pick<Context, "db" | "clock">, field: string, text: string): Promise<PortEntry> => {
  const entered = codeInLabel.exec(text)?.[1] ?? text.trim();
  const words = searchWords(entered).slice(0, maxSearchWords);
  if (words.length === 0) throw invalid(field, "Enter a port name or UN/LOCODE");
  const { directory, index } = await indexedCatalogue(ctx);
  const matching = new Set(index.ports.findIds(words.join(" ")));
  const ports = directory.ports
    .filter(({ id }) => matching.has(id))
    .toSorted((a, b) => (a.unlocode < b.unlocode ? -1 : 1));
  const code = unlocode.safeParse(entered).data;
  const name = entered.toLowerCase();
  const [exact] = [
    ...ports.filter((port) => code !== undefined && [port.unlocode, ...port.altUnlocodes].includes(code)),
    ...ports.filter((port) => port.name.toLowerCase() === name),
  ];
  const port = exact ?? (ports.length === 1 ? ports[0] : undefined);
  if (port) return port;
  if (ports.length > 0) {
    const named = ports.slice(0, matchesNamed).map((each) => `${each.name} (${each.unlocode})`);
    throw invalid(field, `Several ports match “${entered}”, such as ${named.join(", ")}. Enter one of these codes`);
  }
  throw invalid(field, code === undefined ? `No port found for “${entered}”` : `No port has the code ${code}`);
};
