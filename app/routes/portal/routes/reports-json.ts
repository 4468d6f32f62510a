/** All reports of a period in one file, in the API's format. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { reportDocument } from "#app/api/documents/catalogue.ts";
import type { Period } from "#app/domain/catalogue/period.ts";
import type { Report } from "#app/domain/catalogue/report.ts";
import { findPeriod, readWholePeriod } from "#app/domain/subscriptions/read-period.server.ts";
import { fileName, fileResponse, orNoFile, streamOf } from "#app/portal/download.server.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfReader } from "#app/portal/session.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const ids = { routeId: idOf(args.params.route_id), periodId: idOf(args.params.period_id) };
  const { ctx, caller } = await visitOfReader(args, ids.routeId, `/routes/${ids.routeId}/periods/${ids.periodId}`);
  const { period } = await orNoFile(findPeriod(ctx, caller, ids));
  const body = await orNoFile(streamOf(textOf(period, readWholePeriod(ctx, caller, ids)), args));
  return fileResponse(body, { name: fileName(period.code, "json"), type: "application/json" });
};

async function* textOf(period: Period, batches: AsyncGenerator<Report[]>): AsyncGenerator<string> {
  const { routeId, id, code, name, startsOn, endsOn, freshness } = period;
  const head = { route_id: routeId, period_id: id, code, name, starts_on: startsOn, ends_on: endsOn, freshness };
  let opening = `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "reports": [`;
  let separator = "\n";
  for await (const batch of batches) {
    const reports = batch.map((report) => `    ${JSON.stringify(reportDocument(report))}`);
    yield opening + (reports.length > 0 ? separator + reports.join(",\n") : "");
    opening = "";
    separator = ",\n";
  }
  yield "\n  ]\n}\n";
}
