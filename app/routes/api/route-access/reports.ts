import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/reports.ts";
import { reportRowDocument } from "#app/api/documents/catalogue.ts";
import { reportFile } from "#app/api/report-files.server.ts";
import { acceptedFormat, mediaTypes } from "#app/api/report-formats.ts";
import { serveFiles } from "#app/api/serve.server.ts";
import { invalid } from "#app/domain/errors.ts";
import { requestCostOf } from "#app/domain/exports/policy.ts";
import { openReports } from "#app/domain/exports/reports.server.ts";
import { defaultPageSize } from "#app/domain/page-size.ts";
import { asLongWork } from "#app/platform/time-budget.server.ts";

export const action = apiRoute(
  serveFiles(contracts.reports, async ({ ctx, caller, query, header }) => {
    const format = query.format ?? acceptedFormat(header("accept"));
    if (format !== "json" && query.limit !== undefined) throw invalid("limit", "Only JSON has pages. Remove limit");
    const { equipment_type } = query;
    const found = await openReports(ctx, caller, {
      routeIds: query.route_id,
      tradeLane: query.trade_lane,
      type: query.report_type,
      serviceLevel: query.service_level,
      equipmentTypes: equipment_type === undefined ? undefined : [equipment_type],
      from: query.from,
      to: query.to,
      cursor: query.cursor,
    });
    if (format === "json") {
      const { rows, nextCursor } = await found.page(query.limit ?? defaultPageSize);
      return { document: { reports: rows.map(reportRowDocument), next_cursor: nextCursor } };
    }
    const rowCount = await asLongWork(() => found.count());
    return {
      file: {
        contentType: contentTypes[format],
        headers: {
          "X-Total-Rows": String(rowCount),
          "Content-Disposition": `attachment; filename="reports.${format}"`,
        },
        requestCost: requestCostOf(rowCount),
        parts: () => reportFile(format, found.batches()),
      },
    };
  }),
);
export { action as loader };

const contentTypes = {
  jsonl: mediaTypes.jsonl,
  csv: `${mediaTypes.csv}; charset=utf-8; header=present`,
  parquet: mediaTypes.parquet,
};
