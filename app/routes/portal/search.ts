import type { LoaderFunctionArgs } from "@remix-run/node";
import { browse } from "../../domain/catalogue/browse.server.ts";
import { maxSearchWords, searchWords } from "../../domain/catalogue/search-words.ts";
import { listSubscriptions } from "../../domain/subscriptions/list.server.ts";
import type { SearchResults } from "../../portal/components/palette/palette-item.ts";
import { type Visit, visit } from "../../portal/session.server.ts";

const maxRoutes = 8;
const maxSubscriptions = 4;
const maxQueryLength = 100;

/** Search of the command palette: catalogue routes, and the account's own subscriptions. */
export const loader = async (args: LoaderFunctionArgs) => {
  const visitor = await visit(args);
  const q = (new URL(args.request.url).searchParams.get("q") ?? "").trim().slice(0, maxQueryLength);
  const [routes, subscriptions] =
    q === "" ? [[], []] : await Promise.all([findRoutes(visitor, q), findSubscriptions(visitor, q)]);
  const results: SearchResults = { routes, subscriptions };
  return Response.json(results, { headers: { "Cache-Control": "private, no-store" } });
};

const findRoutes = async ({ ctx }: Visit, q: string): Promise<SearchResults["routes"]> => {
  const words = searchWords(q).slice(0, maxSearchWords);
  const { rows } = await browse(ctx, { q: words.join(" ") }, { limit: maxRoutes });
  return rows.map(({ id, name, code, carrier }) => ({ id, name, code, carrier: carrier.name }));
};

const findSubscriptions = async ({ ctx, caller }: Visit, q: string): Promise<SearchResults["subscriptions"]> => {
  if (!caller) return [];
  const words = q.toLowerCase().split(/\s+/);
  return (await listSubscriptions(ctx, caller))
    .filter(({ routeName, routeCode }) =>
      words.every((word) => `${routeName} ${routeCode}`.toLowerCase().includes(word)),
    )
    .slice(0, maxSubscriptions)
    .map(({ id, routeName, routeCode, endDate }) => ({ id, name: routeName, code: routeCode, ends: endDate }));
};
