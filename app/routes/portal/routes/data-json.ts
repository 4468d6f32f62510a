/** The route's data as a file, in the API's format. With `as_of`, as it was known at the end of that day. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { routeDataDocument } from "#app/api/documents/catalogue.ts";
import { readRouteData } from "#app/domain/subscriptions/route-access.server.ts";
import { fileName, fileResponse, orNoFile } from "#app/portal/download.server.ts";
import { knownAt } from "#app/portal/known-on.server.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfReader } from "#app/portal/session.server.ts";

/** The API's maximum page size. */
const reportsInFile = 100;

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const id = idOf(args.params.route_id);
  const { ctx, caller } = await visitOfReader(args, id, `/routes/${id}`);
  const search = new URL(args.request.url).searchParams;
  const read = async () => readRouteData(ctx, caller, { id, asOf: knownAt(ctx, search), limit: reportsInFile });
  const data = await orNoFile(read());
  return fileResponse(`${JSON.stringify(routeDataDocument(data), null, 2)}\n`, {
    name: fileName(data.record.code, "json"),
    type: "application/json",
  });
};
