/**
 * Whether a route's page is still the newest: 304 for whoever has got its version, 204 with the new one's ETag where the
 * data has changed, 204 without where it is no longer open. Nothing is read for it.
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
  if (!caller) return null;
  try {
    return (await openRoute({ ctx, caller }, idOf(args.params.route_id))).etag;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
};
