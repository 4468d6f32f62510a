import type { LoaderFunctionArgs } from "@remix-run/node";
import { boundsOf } from "#app/domain/payments/statement.ts";
import { sellerView } from "#app/portal/invoice-view.ts";
import { countDocument } from "#app/portal/request-limits.server.ts";
import { statementPdf } from "#app/portal/statement-pdf.server.ts";
import { statementView } from "#app/portal/statement-view.ts";
import { openStatementFile } from "./read-statement.server.ts";

export const loader = async (args: LoaderFunctionArgs) => {
  const { statement, ...member } = await openStatementFile(args);
  await countDocument(member);
  const { ctx, caller } = member;
  const { appUrl, testMode, seller } = ctx.settings;
  const pdf = await statementPdf({
    statement: statementView(statement),
    account: caller.account,
    issuer: { ...sellerView(seller), site: appUrl },
    testMode,
    writtenAt: statement.isComplete ? boundsOf(statement.month).end : ctx.clock.now(),
  });
  return new Response(pdf, {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="statement-${statement.month}.pdf"`,
      "Cache-Control": "private, no-store",
    },
  });
};
