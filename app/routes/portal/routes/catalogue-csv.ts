/** The public catalogue as CSV, for everybody. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { dayOf } from "#app/domain/dates.ts";
import { wholeCatalogue } from "#app/domain/exports/catalogue.server.ts";
import { catalogueColumns } from "#app/domain/exports/catalogue-columns.ts";
import { tableCsv } from "#app/domain/exports/table-csv.ts";
import { csvStreamResponse } from "#app/portal/download.server.ts";
import { countDocument } from "#app/portal/request-limits.server.ts";
import { visit } from "#app/portal/session.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const visitor = await visit(args);
  await countDocument(visitor);
  const { ctx } = visitor;
  const name = `routes-${dayOf(ctx.clock.now())}.csv`;
  return csvStreamResponse(tableCsv(catalogueColumns, wholeCatalogue(ctx)), name, args);
};
