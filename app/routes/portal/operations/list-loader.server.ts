import type { LoaderFunctionArgs } from "@remix-run/node";
import type { z } from "zod";
import type { Page, PageRequest } from "#app/domain/page.ts";
import { type SearchResult, searchByParams } from "#app/portal/search-params.server.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

type Operator = Awaited<ReturnType<typeof visitOfOperator>>;

const pageSize = 50;

/**
 * The data of a list in the console: the filters and the cursor come from the address.
 *
 * @param find the verb
 * @param toRow what the table shows of a row
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
