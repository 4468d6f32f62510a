/** Ports as people name them. */
import type { Context } from "../context.ts";
import { invalid } from "../errors.ts";
import { unlocode } from "./browse.ts";
import { browsePorts } from "./directory.server.ts";
import type { PortRecord } from "./directory.ts";
import { maxSearchWords, searchWords } from "./search-words.ts";

/** Ports that are looked at and, if several match, named in the message. */
const maxMatches = 100;
const matchesNamed = 4;

/** The code at the end of "Shanghai (CNSHA)", as fields show ports. */
const codeInLabel = /\(([A-Za-z0-9]{5})\)\s*$/;

/**
 * The port with this UN/LOCODE (alternates too) or name. Words of a name do if only one port has them.
 *
 * @param field of the form
 * @throws invalid if no port matches, or several do
 */
export const findPort = async (
  ctx: Pick<Context, "db" | "clock">,
  field: string,
  text: string,
): Promise<PortRecord> => {
  const entered = codeInLabel.exec(text)?.[1] ?? text.trim();
  const words = searchWords(entered).slice(0, maxSearchWords);
  if (words.length === 0) throw invalid(field, "Enter a port name or UN/LOCODE");
  const { rows } = await browsePorts(ctx, { q: words.join(" ") }, { limit: maxMatches });
  const code = unlocode.safeParse(entered).data;
  const name = entered.toLowerCase();
  const [exact] = [
    ...rows.filter((port) => code !== undefined && [port.unlocode, ...port.altUnlocodes].includes(code)),
    ...rows.filter((port) => port.name.toLowerCase() === name),
  ];
  const port = exact ?? (rows.length === 1 ? rows[0] : undefined);
  if (port) return port;
  if (rows.length > 0) {
    const named = rows.slice(0, matchesNamed).map((each) => `${each.name} (${each.unlocode})`);
    throw invalid(field, `Several ports match “${entered}”, such as ${named.join(", ")}. Enter one of these codes`);
  }
  throw invalid(field, code === undefined ? `No port found for “${entered}”` : `No port has the code ${code}`);
};
