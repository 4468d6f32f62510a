/**
 * Whether a route's page is up to date: 304 if it is, 204 with the new ETag if the data has changed, and 204 without one
 * if the account no longer has access. The route's data is not read for it.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Refusal } from "#app/domain/errors.ts";
import { openRoute } from "#app/portal/open-route.server.ts";
import { idOf } from "#app/portal/params.ts";
import { visit } from "#app/portal/session.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const etag = await etagOf(args);
  const isKnown = etag !== null && args.request.headers.get("If-None-Match") === etag;
  return new Response(null, {
    status: isKnown ? 304 : 204,
    headers: { "Cache-Control": "private, no-store", ...(etag === null ? {} : { ETag: etag }) },
  });
};

const etagOf = async (args: LoaderFunctionArgs): Promise<string | null> => {
  const { ctx, caller } = await visit(args);
  try {
    return (await openRoute({ ctx, caller }, idOf(args.params.route_id))).etag;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
};
