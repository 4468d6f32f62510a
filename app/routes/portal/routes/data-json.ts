/** The route's document as the API answers it, as a file. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { routeDataDocument } from "#app/api/documents/catalogue.ts";
import { readRouteData } from "#app/domain/subscriptions/route-access.server.ts";
import { fileName, fileResponse, orNoFile, visitForFile } from "#app/portal/download.server.ts";
import { idOf } from "#app/portal/params.ts";

/** As many as the API gives at once. */
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
