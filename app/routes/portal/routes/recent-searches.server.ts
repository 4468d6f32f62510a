/** The last searches in this browser, kept in a cookie. Nobody else sees them. */
import { z } from "zod";
import type { RouteSearch } from "#app/domain/catalogue/search.ts";
import { portalCookie } from "#app/portal/cookie.server.ts";
import type { SearchedPorts } from "./search-ports.server.ts";

/** `to`: the query string, such as `?q=rotterdam`. */
export type RecentSearch = { label: string; to: string };

const mostKept = 5;
const keptSeconds = 30 * 86_400;
const kept = z
  .array(z.object({ label: z.string().min(1).max(120), to: z.string().startsWith("?").max(300) }))
  .max(mostKept);

const cookie = () => portalCookie("srds_recent_searches", { maxAge: keptSeconds });

export const recentSearches = async (request: Request): Promise<RecentSearch[]> =>
  kept.catch([]).parse(await (await cookie()).parse(request.headers.get("Cookie")));

/** The value of a `Set-Cookie` header. */
export const saveSearch = async (before: readonly RecentSearch[], search: RecentSearch): Promise<string> =>
  (await cookie()).serialize(withSearch(before, search));

/** The newest first. A search that continues the last one, letter by letter, replaces it. */
export const withSearch = (before: readonly RecentSearch[], search: RecentSearch): RecentSearch[] => {
  const [last, ...earlier] = before;
  const isContinued = last !== undefined && (search.to.startsWith(last.to) || last.to.startsWith(search.to));
  const others = (isContinued ? earlier : before).filter(({ to }) => to !== search.to);
  return [search, ...others].slice(0, mostKept);
};

/** The ports and words of a search; null: it has neither. */
export const searchToKeep = ({ q }: Pick<RouteSearch, "q">, ports: SearchedPorts["found"]): RecentSearch | null => {
  const at = (end: string) => ports.find(({ name }) => name === end)?.port;
  const [origin, destination] = [at("origin"), at("destination")];
  const names = [origin?.name, destination && `${origin ? "" : "to "}${destination.name}`].filter(Boolean).join(" – ");
  const label = [names, q].filter(Boolean).join(", ");
  if (label === "") return null;
  const search = new URLSearchParams({
    ...(origin ? { origin: origin.unlocode } : {}),
    ...(destination ? { destination: destination.unlocode } : {}),
    ...(q ? { q } : {}),
  });
  return { label, to: `?${search}` };
};
