import { getContext } from "../../context.server.ts";
import { securityText } from "../../docs/security-text.ts";
import { dayOf } from "../../domain/dates.ts";

export const loader = async (): Promise<Response> => {
  const { clock, settings } = await getContext();
  const { appUrl, seller } = settings;
  const text = securityText({ appUrl, email: seller?.email ?? null, today: dayOf(clock.now()) });
  return new Response(text, {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
};
