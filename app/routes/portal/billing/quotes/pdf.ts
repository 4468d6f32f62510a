import type { LoaderFunctionArgs } from "@remix-run/node";
import { getQuote } from "#app/domain/quotes/request.server.ts";
import { visitForFile } from "#app/portal/download.server.ts";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { sellerView } from "#app/portal/invoice-view.ts";
import { idOf } from "#app/portal/params.ts";
import { quotePdf } from "#app/portal/quote-pdf.server.ts";
import { quoteView } from "#app/portal/quote-view.ts";
import { countDocument } from "#app/portal/request-limits.server.ts";

export const loader = async (args: LoaderFunctionArgs) => {
  const id = idOf(args.params.quote_id);
  const member = await visitForFile(args, `/billing/quotes/${id}`);
  await countDocument(member);
  const { ctx, caller } = member;
  const { offer, ...quote } = quoteView(ctx, await orErrorResponse(getQuote(ctx, caller, { id })));
  if (!offer) throw new Response("The quote has no offer yet", { status: 404 });
  const { appUrl, testMode, seller } = ctx.settings;
  const issuer = { ...sellerView(seller), site: appUrl };
  return new Response(await quotePdf({ quote: { ...quote, offer }, account: caller.account, issuer, testMode }), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="quote-${id}.pdf"`,
      "Cache-Control": "private, no-store",
    },
  });
};
