import { z } from "zod";
import { storageByPlan } from "../../domain/plans/plans.ts";
import { recentDays, recentDurationSample, topCount } from "../../domain/usage/policy.ts";
import { seriesLimits, usagePeriods } from "../../domain/usage/series.ts";
import { statusClasses } from "../../domain/usage/usage-log.ts";
import { counted, grouped } from "../../domain/wording.ts";
import { endpoint } from "../endpoint.ts";
import { cents, currencyCode, id, idText, instant, instantText, nextCursor, numberText, pageQuery } from "./shapes.ts";

const count = z.int().min(0);

const usageLog = z
  .object({
    id: z.int().min(1),
    occurred_at: instant,
    method: z.string().meta({ example: "GET" }),
    endpoint: z.string().meta({ description: "The path template.", example: "/api-routes-data" }),
    status: z.int().meta({ description: "Status code of the response.", example: 200 }),
    duration_ms: z.number().meta({ example: 12 }),
    response_bytes: count.meta({ example: 18432 }),
    request_cost: z
      .int()
      .min(1)
      .meta({ description: "How many requests it counts as toward the rate limit.", example: 1 }),
    api_key_id: id.nullable().meta({ description: "Null: the request had a bearer token." }),
    api_key_name: z.string().nullable().meta({
      description: "The key's name at the time of the request. It is kept when the key is deleted.",
      example: "Rate sync, production",
    }),
    route_id: id.nullable().meta({ description: "The requested route." }),
    request_id: z.uuid().meta({ description: "The response's X-Request-Id." }),
  })
  .meta({ id: "UsageLog" });

export const listUsageLogs = endpoint({
  id: "listUsageLogs",
  tag: "Usage",
  method: "GET",
  path: "/api-usage-logs",
  access: "bearer",
  summary: "List the account's requests",
  description: `One record per authenticated request, successful or not. Kept ${storageByPlan}.`,
  query: z.object({
    from: instantText.optional().meta({ description: "Requests at or after this time." }),
    to: instantText.optional().meta({ description: "Requests before this time." }),
    status: numberText(100, 599).optional().meta({ description: "Only requests with this status code.", example: 429 }),
    status_class: z
      .enum(statusClasses, "Must be 2xx, 3xx, 4xx or 5xx")
      .optional()
      .meta({ description: "Only requests with a status code of this class. 4xx includes 429.", example: "5xx" }),
    endpoint: z
      .string()
      .max(200)
      .regex(/^\//, "Must be a path template, such as /api-keys/{api_key_id}")
      .optional()
      .meta({ description: "Only requests to this path template.", example: "/api-routes-data" }),
    api_key_id: idText.optional().meta({ description: "Only requests with this key." }),
    route_id: idText.optional().meta({ description: "Only requests for this route's data." }),
    request_id: z
      .uuid("Must be a request ID, as in X-Request-Id")
      .optional()
      .meta({ description: "Only the request with this ID, as in X-Request-Id or in an error." }),
    ...pageQuery,
  }),
  answer: {
    status: 200,
    description: "Newest first.",
    schema: z.object({ usage_logs: z.array(usageLog), next_cursor: nextCursor }),
  },
});

const totals = {
  requests: count.meta({
    description: "All requests, rejected ones included. A bulk download counts as its cost.",
    example: 1280,
  }),
  errors: count.meta({ description: "Requests with status 400 or above, except 429.", example: 3 }),
  rate_limited: count.meta({ description: "Requests with status 429.", example: 0 }),
};

const quota = z
  .object({
    limit: count.meta({ description: "Requests allowed in this hour.", example: 5000 }),
    remaining: count.meta({ example: 4873 }),
    resets_at: instant.meta({ description: "The start of the next hour.", example: "2026-11-20T10:00:00.000Z" }),
  })
  .meta({ id: "Quota" });

const spans = usagePeriods.map(
  (period) =>
    `${period}: the last ${seriesLimits[period].usual} by default, at most ${seriesLimits[period].mostInWords}`,
);

export const apiCallUsage = endpoint({
  id: "getApiCallUsage",
  tag: "Usage",
  method: "GET",
  path: "/subscriptions/api-call-usage",
  access: "bearer",
  summary: "Requests by hour, day or month",
  description: `One point for every hour, day or month (UTC) of the range, zeros included. The range: ${spans.join("; ")}.`,
  query: z.object({
    period: z
      .enum(usagePeriods, { error: "Must be hours, days or months" })
      .default("days")
      .meta({ description: "The length of one point.", example: "days" }),
    from: instantText.optional().meta({ description: "Start of the range, rounded down to the hour, day or month." }),
    to: instantText.optional().meta({
      description: "End of the range, exclusive, rounded up to the hour, day or month.",
      example: "2026-12-01",
    }),
    api_key_id: idText.optional().meta({ description: "Only requests with this key." }),
  }),
  answer: {
    status: 200,
    description: "Oldest first.",
    schema: z
      .object({
        period: z.enum(usagePeriods).meta({ example: "days" }),
        from: instant.meta({ description: "The start of the first point.", example: "2026-11-20T00:00:00.000Z" }),
        to: instant.meta({ description: "The end of the last point.", example: "2026-11-21T00:00:00.000Z" }),
        api_key_id: id.nullable(),
        series: z.array(z.object({ starts_at: instant.meta({ example: "2026-11-20T00:00:00.000Z" }), ...totals })),
        totals: z.object(totals),
        quota,
      })
      .meta({ id: "ApiCallUsage" }),
  },
});

const milliseconds = z.number().min(0).nullable();
const routeName = {
  code: z.string().meta({ example: "C-CNSHA-NLRTM-PEL9" }),
  name: z.string().meta({ example: "Shanghai – Rotterdam" }),
};
const keyName = z.string().meta({ example: "Rate sync, production" });
const statusCount = count.meta({ example: 1 });

/** `last 30 days`. */
const lastDays = `last ${counted(recentDays, "day")}`;

export const myStats = endpoint({
  id: "getMyStats",
  tag: "Usage",
  method: "GET",
  path: "/subscriptions/my-stats",
  access: "bearer",
  summary: "Get statistics of subscriptions, spend and usage",
  description: `The ${lastDays} are today (UTC) and the ${counted(recentDays - 1, "day")} before it.`,
  answer: {
    status: 200,
    description: "The statistics as of now.",
    schema: z
      .object({
        subscriptions: z
          .object({ active: statusCount, expiring_soon: statusCount, expired: statusCount, cancelled: statusCount })
          .meta({ description: "Number of subscriptions by status." }),
        spend: z
          .object({ total_cents: cents, last_30_days_cents: cents, currency: currencyCode })
          .meta({ description: "Payments less refunds." }),
        requests: z.object({ today: count, last_30_days: count }),
        error_rate: z
          .number()
          .min(0)
          .max(1)
          .meta({
            description: `Share of requests in the ${lastDays} that were errors, 429 not included.`,
            example: 0.0023,
          }),
        duration_ms: z
          .object({ p50: milliseconds.meta({ example: 14 }), p95: milliseconds.meta({ example: 63 }) })
          .meta({
            description: `Over the latest ${grouped(recentDurationSample)} requests of the ${lastDays}, at most. Null without requests.`,
          }),
        top_routes: z
          .array(z.object({ route_id: id, ...routeName, requests: count }))
          .meta({ description: `The ${topCount} routes with the most requests in the ${lastDays}.` }),
        top_keys: z.array(z.object({ api_key_id: id, api_key_name: keyName, requests: count })).meta({
          description: `The ${topCount} keys with the most requests in the ${lastDays}, deleted keys included.`,
        }),
        quota,
      })
      .meta({ id: "AccountStats" }),
  },
});
