/** The reports of many routes, as pages and as files. */
import { z } from "zod";
import { codeFilter } from "../../domain/catalogue/browse.ts";
import { maxExportedRoutes, mostRequests, rowsPerRequest } from "../../domain/exports/policy.ts";
import { largestId } from "../../domain/input.ts";
import { defaultPageSize, largestPageSize } from "../../domain/page-size.ts";
import { grouped } from "../../domain/wording.ts";
import { endpoint } from "../endpoint.ts";
import { reportFileTypes, reportFormats } from "../report-formats.ts";
import { demoSample } from "../sample-route.ts";
import { oneOf, report, reportFilters } from "./route-data.ts";
import { id, nextCursor, numberText, pageQuery } from "./shapes.ts";

const routeIds = z
  .string()
  .regex(/^\d{1,10}(,\d{1,10})*$/, "Must be IDs, separated by commas")
  .transform((text) => text.split(",").map(Number))
  .pipe(z.array(z.int().min(1).max(largestId)).max(maxExportedRoutes))
  .meta({
    description: `IDs of subscribed routes, separated by commas, at most ${maxExportedRoutes}. Default: all subscribed routes.`,
    override: { type: "string", example: `${demoSample.routeId},${demoSample.otherRouteId}` },
  });

const reportRow = z
  .object({
    route_id: id.meta({ example: demoSample.routeId }),
    route_code: z.string().meta({ example: "C-CNSHA-NLRTM-PEL9" }),
    route_name: z.string().meta({ example: "Shanghai – Rotterdam" }),
    trade_lane: z.string().meta({ description: "Code of the trade lane.", example: "EAS-NEU" }),
    carrier: z.string().meta({ description: "Code of the carrier.", example: "PEL9" }),
    origin: z.string().meta({ description: "UN/LOCODE.", example: "CNSHA" }),
    destination: z.string().meta({ description: "UN/LOCODE.", example: "NLRTM" }),
    ...report.shape,
    cursor: z
      .string()
      .meta({ description: "Continues after this row, in any format.", example: "WzEwOSwxNzY4ODg5NDAwMDAwLDQyLDk5XQ" }),
  })
  .meta({ id: "ReportRow" });

export const reports = endpoint({
  id: "listReports",
  tag: "Routes",
  method: "GET",
  path: "/route-access/reports",
  access: "bearer_or_key",
  summary: "Read the reports of many routes",
  description: [
    "All reports that your active subscriptions give access to, as in route data, sorted by route, observation time and ID.",
    "JSON is paginated. JSON Lines, CSV and Parquet are one streamed file with the rows that existed when the download began, each once.",
    `A JSON page costs one request. A file costs one request for every ${grouped(rowsPerRequest)} rows or part of them,`,
    `at most ${mostRequests}. X-Request-Cost has the cost, also in the response to HEAD, which costs one request. If the requests left in this hour do not cover the cost,`,
    "you get 429, which counts as one request. See the guide on bulk downloads.",
  ].join(" "),
  query: z.object({
    format: oneOf(reportFormats)
      .optional()
      .meta({ description: "Default: as the Accept header says, otherwise json.", example: "json" }),
    route_id: routeIds.optional(),
    trade_lane: codeFilter("trade lane", "EAS-NEU").meta({
      description: "Only routes of the trade lane with this code.",
    }),
    ...reportFilters,
    limit: numberText(1, largestPageSize)
      .optional()
      .meta({
        description: `Maximum number of rows of a JSON page, ${defaultPageSize} by default. Does not apply to files.`,
        example: "50",
      }),
    cursor: pageQuery.cursor.meta({
      description:
        "Continues after this row: the next_cursor of the previous page, or the cursor of the last row that you received.",
    }),
  }),
  answer: {
    status: 200,
    description: "A page of reports, or a file of all reports.",
    schema: z.object({ reports: z.array(reportRow), next_cursor: nextCursor }),
  },
  files: reportFileTypes,
  refusals: ["not_found"],
});
