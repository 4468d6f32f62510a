import type { LoaderFunctionArgs } from "@remix-run/node";
import { browse } from "../../domain/catalogue/browse.server.ts";
import { maxSearchWords, searchWords } from "../../domain/catalogue/search-words.ts";
import { listSubscriptions } from "../../domain/subscriptions/list.server.ts";
import type { SearchAnswer } from "../../portal/components/palette/palette-item.ts";
import { type Visit, visit } from "../../portal/session.server.ts";

const mostRoutes = 8;
const mostSubscriptions = 4;
const longestQuery = 100;

/** What the palette finds for `q`: routes of the catalogue, and the account's own subscriptions. */
export const loader = async (args: LoaderFunctionArgs) => {
  const visitor = await visit(args);
  const q = (new URL(args.request.url).searchParams.get("q") ?? "").trim().slice(0, longestQuery);
  const [routes, subscriptions] =
    q === "" ? [[], []] : await Promise.all([routesWith(visitor, q), ownWith(visitor, q)]);
  const answer: SearchAnswer = { routes, subscriptions };
  return Response.json(answer, { headers: { "Cache-Control": "private, no-store" } });
};

const routesWith = async ({ ctx }: Visit, q: string): Promise<SearchAnswer["routes"]> => {
  const words = searchWords(q).slice(0, maxSearchWords);
  const { rows } = await browse(ctx, { q: words.join(" ") }, { limit: mostRoutes });
  return rows.map(({ id, name, code, carrier }) => ({ id, name, code, carrier: carrier.name }));
};

const ownWith = async ({ ctx, caller }: Visit, q: string): Promise<SearchAnswer["subscriptions"]> => {
  if (!caller) return [];
  const words = q.toLowerCase().split(/\s+/);
  return (await listSubscriptions(ctx, caller))
    .filter(({ routeName, routeCode }) =>
      words.every((word) => `${routeName} ${routeCode}`.toLowerCase().includes(word)),
    )
    .slice(0, mostSubscriptions)
    .map(({ id, routeName, routeCode, endDate }) => ({ id, name: routeName, code: routeCode, ends: endDate }));
};
