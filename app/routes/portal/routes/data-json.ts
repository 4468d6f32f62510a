/** The route's data as a file, in the API's format. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { routeDataDocument } from "#app/api/documents/catalogue.ts";
import { readRouteData } from "#app/domain/subscriptions/route-access.server.ts";
import { fileName, fileResponse, orNoFile, visitForFile } from "#app/portal/download.server.ts";
import { idOf } from "#app/portal/params.ts";

/** The API's maximum page size. */
const reportsInFile = 100;

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const id = idOf(args.params.route_id);
  const { ctx, caller } = await visitForFile(args, `/routes/${id}`);
  const data = await orNoFile(readRouteData(ctx, caller, { id, limit: reportsInFile }));
  return fileResponse(`${JSON.stringify(routeDataDocument(data), null, 2)}\n`, {
    name: fileName(data.record.code, "json"),
    type: "application/json",
  });
};
