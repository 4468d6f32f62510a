import { getContext } from "../../context.server.ts";
import { llmsText } from "../../docs/llms-text.ts";
import { referenceGroups } from "../../docs/reference.server.ts";

export const loader = async (): Promise<Response> => {
  const { appUrl } = (await getContext()).settings;
  return new Response(llmsText(appUrl, referenceGroups(appUrl)), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
};
