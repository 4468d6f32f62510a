import type { LoaderFunctionArgs } from "@remix-run/node";
import { getTestService } from "../../context.server.ts";
import { readHtml } from "../../domain/notifications/outbox.server.ts";
import { idOf } from "../../portal/params.ts";

/** One message as a mail client shows it: as its own document, with inline styles, no scripts and nothing external. */
export const loader = async ({ params, request }: LoaderFunctionArgs) => {
  const service = await getTestService(request);
  const html = service
    ? await readHtml(service.ctx, idOf(params.message_id), { secrets: service.config.isLocal })
    : null;
  if (html === null) throw new Response("Not found", { status: 404 });
  return new Response(html, { headers });
};

const headers = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "same-origin",
  "Cache-Control": "private, no-store",
};
