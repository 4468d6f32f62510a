import type { LoaderFunctionArgs } from "@remix-run/node";
import { getContext } from "#app/context.server.ts";
import { readCalendarFeed } from "#app/domain/calendar/feed.server.ts";

/** The renewal calendar, for calendar programs. Whoever knows the address may read it. */
export const loader = async ({ params }: LoaderFunctionArgs) => {
  const [, secret] = /^([\w-]{43})\.ics$/.exec(params.file ?? "") ?? [];
  const calendar = secret === undefined ? null : await readCalendarFeed(await getContext(), secret);
  if (calendar === null) throw new Response("There is no calendar at this address", { status: 404 });
  return new Response(calendar, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Cache-Control": "private, no-store",
      "X-Robots-Tag": "noindex",
    },
  });
};
