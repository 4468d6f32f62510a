import { changelog } from "../../api/changelog.ts";
import { getContext } from "../../context.server.ts";
import { changelogFeed } from "../../docs/changelog-feed.ts";

export const loader = async (): Promise<Response> =>
  new Response(changelogFeed((await getContext()).settings.appUrl, changelog), {
    headers: { "Content-Type": "application/atom+xml; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
