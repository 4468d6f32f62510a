import { z } from "zod";
import { storageByPlan } from "../../domain/plans/plans.ts";
import { durationSample, recentDays, topCount } from "../../domain/usage/policy.ts";
import { seriesLimits, usagePeriods } from "../../domain/usage/series.ts";
import { counted, grouped } from "../../domain/wording.ts";
import { endpoint } from "../endpoint.ts";
import { cents, currencyCode, id, idText, instant, instantText, nextCursor, numberText, pageQuery } from "./shapes.ts";

const count = z.int().min(0);

const usageLog = z
  .object({
    id: z.int().min(1),
    occurred_at: instant,
    method: z.string().meta({ example: "GET" }),
    endpoint: z.string().meta({ description: "The path's template.", example: "/api-routes-data" }),
    status: z.int().meta({ description: "Of the answer.", example: 200 }),
    duration_ms: z.number().meta({ example: 12 }),
    response_bytes: count.meta({ example: 18432 }),
    api_key_id: id.nullable().meta({ description: "Null: by a bearer token." }),
    api_key_name: z
      .string()
      .nullable()
      .meta({ description: "As it was then; the log outlives the key.", example: "Rate sync, production" }),
    route_id: id.nullable().meta({ description: "The route that was asked for." }),
    request_id: z.uuid().meta({ description: "As in the answer's X-Request-Id." }),
  })
  .meta({ id: "UsageLog" });

export const listUsageLogs = endpoint({
  id: "listUsageLogs",
  tag: "Usage",
  method: "GET",
  path: "/api-usage-logs",
  access: "bearer",
  summary: "List the account's requests",
  description: `One record per authenticated request, whatever its answer. Kept ${storageByPlan}.`,
  query: z.object({
    from: instantText.optional().meta({ description: "Requests from here on." }),
    to: instantText.optional().meta({ description: "Requests before." }),
    status: numberText(100, 599).optional().meta({ description: "With this status.", example: 429 }),
    endpoint: z
      .string()
      .max(200)
      .regex(/^\//, "Must be a path's template, like /api-keys/{api_key_id}")
      .optional()
      .meta({ description: "To this path, given as its template.", example: "/api-routes-data" }),
    api_key_id: idText.optional().meta({ description: "With this key." }),
    route_id: idText.optional().meta({ description: "For this route's data." }),
    ...pageQuery,
  }),
  answer: {
    status: 200,
    description: "Newest first.",
    schema: z.object({ usage_logs: z.array(usageLog), next_cursor: nextCursor }),
  },
});

const totals = {
  requests: count.meta({ description: "All of them, refused ones included.", example: 1280 }),
  errors: count.meta({ description: "Answered with 400 or above, other than 429.", example: 3 }),
  rate_limited: count.meta({ description: "Answered with 429.", example: 0 }),
};

const quota = z
  .object({
    limit: count.meta({ description: "Requests in this hour, at most.", example: 5000 }),
    remaining: count.meta({ example: 4873 }),
    resets_at: instant.meta({ description: "The start of the next hour.", example: "2026-11-20T10:00:00Z" }),
  })
  .meta({ id: "Quota" });

const spans = usagePeriods.map(
  (period) => `${period}: the last ${seriesLimits[period].usual}, at most ${seriesLimits[period].mostInWords}`,
);

export const apiCallUsage = endpoint({
  id: "getApiCallUsage",
  tag: "Usage",
  method: "GET",
  path: "/subscriptions/api-call-usage",
  access: "bearer",
  summary: "Requests by hour, day or month",
  description: `A point for every hour, day or month (UTC) that from and to touch, zeros included. Without them, and the most of one answer: ${spans.join("; ")}.`,
  query: z.object({
    period: z
      .enum(usagePeriods, { error: "Must be hours, days or months" })
      .default("days")
      .meta({ description: "What one point stands for.", example: "days" }),
    from: instantText.optional().meta({ description: "Moved back to the start of its hour, day or month." }),
    to: instantText
      .optional()
      .meta({ description: "Exclusive; moved on to the end of its hour, day or month.", example: "2026-12-01" }),
    api_key_id: idText.optional().meta({ description: "Only requests with this key." }),
  }),
  answer: {
    status: 200,
    description: "Oldest first.",
    schema: z
      .object({
        period: z.enum(usagePeriods).meta({ example: "days" }),
        from: instant.meta({ description: "The start of the first point.", example: "2026-11-20T00:00:00Z" }),
        to: instant.meta({ description: "The end of the last point.", example: "2026-11-21T00:00:00Z" }),
        api_key_id: id.nullable(),
        series: z.array(z.object({ starts_at: instant.meta({ example: "2026-11-20T00:00:00Z" }), ...totals })),
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
  summary: "Summarise subscriptions, spend and usage",
  description: `The ${lastDays} are today (UTC) and the ${counted(recentDays - 1, "day")} before it.`,
  answer: {
    status: 200,
    description: "As of now.",
    schema: z
      .object({
        subscriptions: z
          .object({ active: statusCount, expiring_soon: statusCount, expired: statusCount, cancelled: statusCount })
          .meta({ description: "How many, by status." }),
        spend: z
          .object({ total_cents: cents, last_30_days_cents: cents, currency: currencyCode })
          .meta({ description: "Payments less refunds." }),
        requests: z.object({ today: count, last_30_days: count }),
        error_rate: z
          .number()
          .min(0)
          .max(1)
          .meta({ description: `Errors among the requests of the ${lastDays}; 429 is none.`, example: 0.0023 }),
        duration_ms: z
          .object({ p50: milliseconds.meta({ example: 14 }), p95: milliseconds.meta({ example: 63 }) })
          .meta({
            description: `Of the ${lastDays}, their latest ${grouped(durationSample)} requests at most; null without requests.`,
          }),
        top_routes: z
          .array(z.object({ route_id: id, ...routeName, requests: count }))
          .meta({ description: `The ${topCount} asked for most in the ${lastDays}.` }),
        top_keys: z
          .array(z.object({ api_key_id: id, api_key_name: keyName, requests: count }))
          .meta({ description: `The ${topCount} that asked most in the ${lastDays}, deleted ones included.` }),
        quota,
      })
      .meta({ id: "AccountStats" }),
  },
});
