import type { LoaderFunctionArgs } from "@remix-run/node";
import type { z } from "zod";
import type { Page, PageRequest } from "#app/domain/page.ts";
import { type SearchResult, searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

type Operator = Awaited<ReturnType<typeof visitOfOperator>>;

const pageSize = 50;

/**
 * Loads one page of a console list. The query parameters have its filters and its cursor.
 *
 * @param find the verb
 * @param toRow picks what the table shows
 */
export const loadList = async <Filter extends z.ZodType, Found, Row>(
  args: LoaderFunctionArgs,
  filter: Filter,
  find: (
    ctx: Operator["ctx"],
    caller: Operator["caller"],
    filter: z.output<Filter>,
    page: PageRequest,
  ) => Promise<Page<Found>>,
  toRow: (found: Found) => Row,
): Promise<SearchResult<Row>> => {
  const { ctx, caller } = await visitOfOperator(args);
  const found = await searchByParams(args.request, filter, ({ filter, cursor }) =>
    find(ctx, caller, filter, { limit: pageSize, cursor }),
  );
  return { ...found, rows: found.rows.map(toRow) };
};
