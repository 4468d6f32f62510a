import { z } from "zod";
import { reportTypes, serviceLevelNames } from "../../domain/catalogue/enums.ts";
import { changeSources, changeTypes } from "../../domain/changes/enums.ts";
import { changeRetentionDays, heartbeatSeconds, maxStreams, reconnectSeconds } from "../../domain/changes/policy.ts";
import { endpoint } from "../endpoint.ts";
import { demoSample } from "../sample-route.ts";
import { id, idText, instant, pageQuery } from "./shapes.ts";

const figures = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const exampleCursor = "WyJjaGFuZ2VzIiw0MjExN10";

export const change = z
  .object({
    id: z.int().meta({ description: "Increases in the order of the changes.", example: 42_117 }),
    type: z.enum(changeTypes).meta({ example: "reports_added" }),
    source: z.enum(changeSources).meta({
      description:
        "What made the change: an import, the data feed, an operator, or the calendar, which ends periods and opens the next.",
      example: "feed",
    }),
    occurred_at: instant.meta({ example: "2026-11-20T09:30:00.000Z" }),
    route_id: id.meta({ example: demoSample.routeId }),
    route_code: z.string().meta({ example: "C-CNSHA-NLRTM-PEL9" }),
    route_name: z.string().meta({ example: "Shanghai – Rotterdam" }),
    period_id: id.nullable().meta({ description: "For changes of reports and periods.", example: demoSample.periodId }),
    report_type: z.enum(reportTypes).nullable().meta({ example: "rate" }),
    service_level: z.enum(serviceLevelNames).nullable().meta({ example: "standard" }),
    equipment_type: z
      .string()
      .nullable()
      .meta({ description: "ISO 6346 size and type, for container rates.", example: "45G1" }),
    surcharge_code: z.string().nullable().meta({ description: "For changes of surcharges.", example: null }),
    count: z.int().nullable().meta({ description: "Number of reports of the series that were written.", example: 1 }),
    from: instant.nullable().meta({
      description: "The first observation of these reports, or the first departure of these sailings.",
      example: "2026-11-20T06:00:00.000Z",
    }),
    to: instant
      .nullable()
      .meta({ description: "The last observation or departure.", example: "2026-11-20T06:00:00.000Z" }),
    fields: z.array(z.string()).meta({ description: "The changed fields of the route or period.", example: [] }),
    before: figures.nullable().meta({
      description:
        "Reports: the newest observation of the series (route, report type, service level, equipment type) before the change. Rates, surcharges, routes and periods: the previous values. Null: there were none, or the newest observation did not change.",
      example: { observed_at: "2026-11-13T06:00:00.000Z", base_rate_cents: 431_000, currency: "USD" },
    }),
    after: figures.nullable().meta({
      description: "The same after the change. Amounts are in minor units.",
      example: { observed_at: "2026-11-20T06:00:00.000Z", base_rate_cents: 448_000, currency: "USD" },
    }),
  })
  .meta({ id: "Change" });

const filter = {
  route_id: idText.optional().meta({ description: "Only this route.", example: String(demoSample.routeId) }),
  type: z.enum(changeTypes).optional().meta({ description: "Only changes of this type.", example: "reports_added" }),
};

const since = z.string().max(200).optional();

/** What both endpoints return. */
const contents = [
  "Changes of the routes that the account has an active subscription to. There is one record for each series of reports, rate,",
  "surcharge, schedule, route or period that an import or update writes, however many rows it has. Changes of reports cover the",
  "subscribed period and the history. Access is checked when you read: you also get changes from before you subscribed.",
].join(" ");

export const changes = endpoint({
  id: "listChanges",
  tag: "Routes",
  method: "GET",
  path: "/route-access/changes",
  access: "bearer_or_key",
  summary: "List changes of subscribed routes",
  description: [
    contents,
    "Oldest first. Store `next_cursor` and pass it as `since` the next time: you miss no change and get none twice.",
    `Changes are kept for ${changeRetentionDays} days. After that, 410 has a \`next_cursor\`: read the data of your routes again,`,
    "then continue from there. Without subscriptions the list is empty.",
  ].join(" "),
  query: z.object({
    since: since.meta({
      description:
        "The next_cursor of the previous response, unchanged, or an ISO 8601 time. Default: the oldest change that we keep.",
      example: "2026-11-20",
    }),
    ...filter,
    limit: pageQuery.limit,
  }),
  routeIdParameter: "route_id",
  answer: {
    status: 200,
    description: "A page of changes.",
    schema: z.object({
      changes: z.array(change),
      next_cursor: z
        .string()
        .meta({ description: "Always present, even if there are no more changes.", example: exampleCursor }),
      has_more: z.boolean().meta({ description: "Whether there are more changes now.", example: false }),
    }),
  },
  refusals: ["gone", "not_found"],
});

export const updates = endpoint({
  id: "followChanges",
  tag: "Routes",
  method: "GET",
  path: "/route-access/updates",
  access: "bearer_or_key",
  summary: "Stream changes of subscribed routes",
  description: [
    "Server-sent events: `event: change`, with the change as JSON in `data` and its cursor in `id`.",
    contents,
    "After an interruption, reconnect with the last `id` in `Last-Event-ID` (browsers do this automatically) or in `since`;",
    "without either, the stream begins now. An expired cursor returns 410, as in the list of changes.",
    `A comment every ${heartbeatSeconds} seconds shows that the connection is alive; it may have a newer \`id\`.`,
    "The stream ends when the credentials are revoked or expire, the account is suspended or a subscription ends, and when the",
    `service restarts: reconnect after ${reconnectSeconds} seconds. An account can have ${maxStreams} connections. Each counts as one request.`,
  ].join(" "),
  query: z.object({
    since: since.meta({
      description: "A cursor or an ISO 8601 time, if Last-Event-ID is missing. Default: now.",
      example: "2026-11-20",
    }),
    ...filter,
  }),
  routeIdParameter: "route_id",
  answer: {
    status: 200,
    description: "A stream of events, until you or we close it.",
    format: "events",
    schema: z.string().meta({ description: "text/event-stream; each `data` is a Change." }),
  },
  refusals: ["gone", "not_found"],
  example: {
    answer: `id: ${exampleCursor}\nevent: change\ndata: {"id":42117,"type":"reports_added","route_id":${demoSample.routeId}}\n\n`,
  },
});
