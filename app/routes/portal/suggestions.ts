import type { LoaderFunctionArgs } from "@remix-run/node";
import { suggestPlaces } from "../../domain/catalogue/suggest.server.ts";
import { type Suggestions, suggestionLimits, suggestionQuery } from "../../domain/catalogue/suggest.ts";
import { countSearch } from "../../portal/request-limits.server.ts";
import { visit } from "../../portal/session.server.ts";

/** Suggestions for the portal's fields for ports. Nothing for what is not a query, such as an empty field. */
export const loader = async (args: LoaderFunctionArgs) => {
  const visitor = await visit(args);
  await countSearch(visitor);
  const { ctx } = visitor;
  const query = suggestionQuery.safeParse(Object.fromEntries(new URL(args.request.url).searchParams));
  const suggestions: Suggestions = query.success
    ? await suggestPlaces(ctx, query.data, suggestionLimits.default)
    : { ports: [], pairs: [] };
  return Response.json(suggestions, { headers: { "Cache-Control": "private, no-store" } });
};
