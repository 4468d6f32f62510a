/** The watchlist and its alerts. */
import { z } from "zod";
import { alertKinds } from "../../domain/alerts/enums.ts";
import { defaultRules, maxRoutesOfPair, maxWatches } from "../../domain/alerts/policy.ts";
import { equipmentType, type WatchRules, type WatchTarget } from "../../domain/alerts/watch.ts";
import { unlocode } from "../../domain/catalogue/browse.ts";
import { bookingStatuses, capacityUnits, cargoTypes } from "../../domain/catalogue/enums.ts";
import { largestId } from "../../domain/input.ts";
import { accessReasons } from "../../domain/subscriptions/access.ts";
import { endpoint } from "../endpoint.ts";
import { demoRouteCode, demoSample } from "../sample-route.ts";
import { unlocodeShape } from "./catalogue.ts";
import { currencyCode, id, idText, instant, localInstant, nextCursor, pageQuery } from "./shapes.ts";

const amount = z.int().min(1).max(largestId);

const ruleFields = {
  rate_change_percent: z.int().min(1).max(100).nullable().meta({
    description: "By how many percent the all-in rate must change since the last alert, or since the watch began.",
    example: defaultRules.rateChangePercent,
  }),
  all_in_below_cents: amount.nullable().meta({
    description:
      "US cents. Alerts when the all-in rate falls below it, and again only after a recovery by 2%. No alert if the rate is already below when you set the rule.",
    example: 420_000,
  }),
  all_in_above_cents: amount.nullable().meta({
    description: "US cents. Alerts when the all-in rate rises above it; otherwise like all_in_below_cents.",
    example: null,
  }),
  capacity_below: amount.nullable().meta({
    description:
      "Space available per sailing, in the capacity unit of the cargo type. Alerts when it falls below, and again only after a recovery by 10%.",
    example: null,
  }),
  booking_status: z.boolean().meta({ description: "Alerts when the booking status changes." }),
  schedule_slip_days: z.int().min(1).max(60).nullable().meta({
    description: "By how many days a published sailing must move. A cancelled sailing always alerts.",
    example: defaultRules.scheduleSlipDays,
  }),
  stale_data: z.boolean().meta({ description: "Alerts when a data update is overdue." }),
};

const shownRules = z.object(ruleFields).meta({ id: "WatchRules", description: "Null or false: the rule is off." });

const writtenRules = z
  .strictObject({
    rate_change_percent: ruleFields.rate_change_percent.default(null),
    all_in_below_cents: ruleFields.all_in_below_cents.default(null),
    all_in_above_cents: ruleFields.all_in_above_cents.default(null),
    capacity_below: ruleFields.capacity_below.default(null),
    booking_status: ruleFields.booking_status.default(false),
    schedule_slip_days: ruleFields.schedule_slip_days.default(null),
    stale_data: ruleFields.stale_data.default(false),
  })
  .transform(
    (rules): WatchRules => ({
      rateChangePercent: rules.rate_change_percent,
      allInBelowCents: rules.all_in_below_cents,
      allInAboveCents: rules.all_in_above_cents,
      capacityBelow: rules.capacity_below,
      bookingStatus: rules.booking_status,
      scheduleSlipDays: rules.schedule_slip_days,
      staleData: rules.stale_data,
    }),
  );

const port = z.object({ unlocode: unlocodeShape, name: z.string().meta({ example: "Shanghai" }) });

const route = {
  route_id: id,
  route_code: z.string().meta({ example: demoRouteCode }),
  route_name: z.string(),
};

const watchedRoute = z
  .object({
    ...route,
    carrier: z.string().meta({ example: "Pelorin Lines (demo)" }),
    cargo_type: z.enum(cargoTypes),
    has_access: z.boolean(),
    reason: z.enum(accessReasons),
    figures: z
      .object({
        rate: z
          .object({
            service_level: z.string().meta({ example: "standard" }),
            equipment_type: z.string().meta({ description: "Empty for cargo other than containers.", example: "45G1" }),
            basis: z.string().nullable().meta({ example: "per_container" }),
            currency: currencyCode,
            all_in_cents: z
              .int()
              .meta({ description: "Base rate and mandatory surcharges, in minor units.", example: 448_000 }),
            observed_at: instant,
            week_change_percent: z.number().nullable().meta({
              description: "Change compared with the rate a week ago, in percent. Null: there was none.",
              example: 5.3,
            }),
          })
          .nullable()
          .meta({ description: "The latest all-in rate." }),
        available_capacity: z.int().meta({ example: 820 }),
        capacity_unit: z.enum(capacityUnits),
        booking_status: z.enum(bookingStatuses),
        next_departure: localInstant.nullable(),
        data_as_of: instant.nullable(),
        is_stale: z.boolean().meta({ description: "Whether the next update is overdue.", example: false }),
      })
      .nullable()
      .meta({ description: "Null without an active subscription to the route." }),
  })
  .meta({ id: "WatchedRoute" });

const watch = z
  .object({
    id,
    route_id: id.nullable().meta({ description: "Null: a port pair is watched.", example: demoSample.routeId }),
    origin: port.nullable().meta({ example: null }),
    destination: port.nullable().meta({ example: null }),
    cargo_type: z.enum(cargoTypes).nullable().meta({ description: "Only for a port pair. Null: any.", example: null }),
    equipment_type: z.string().nullable().meta({ description: "ISO 6346. Null: 45G1 for containers.", example: null }),
    rules: shownRules,
    created_at: instant,
    unread_alerts: z.int().min(0),
    routes: z
      .array(watchedRoute)
      .meta({ description: `The watched route, or the first ${maxRoutesOfPair} routes of the port pair, by name.` }),
    routes_total: z.int().min(0),
  })
  .meta({ id: "Watch" });

const watchPath = z.object({ watch_id: idText.meta({ description: "The watch's ID." }) });

const newWatch = z
  .strictObject({
    route_id: id.optional(),
    origin: unlocode.optional().meta({ description: "UN/LOCODE or alternative code.", example: "CNSHA" }),
    destination: unlocode.optional().meta({ example: "NLRTM" }),
    cargo_type: z
      .enum(cargoTypes)
      .optional()
      .meta({ description: "Only for a port pair. Omitted: any.", example: "container" }),
    equipment_type: equipmentType.optional().meta({ description: "Omitted: 45G1 for containers.", example: "45G1" }),
    rules: writtenRules.optional().meta({ description: "Omitted: the default rules." }),
  })
  .meta({ override: { oneOf: [{ required: ["route_id"] }, { required: ["origin", "destination"] }] } })
  .transform(({ route_id, origin, destination, cargo_type, equipment_type, rules }, ctx) => {
    const equipmentType = equipment_type ?? null;
    const isRoute = route_id !== undefined;
    const target: WatchTarget | null =
      isRoute && origin === undefined && destination === undefined && cargo_type === undefined
        ? { routeId: route_id, equipmentType }
        : !isRoute && origin !== undefined && destination !== undefined
          ? { origin, destination, cargoType: cargo_type ?? null, equipmentType }
          : null;
    if (target) return { target, rules };
    ctx.addIssue({ code: "custom", path: ["route_id"], message: "Send either route_id, or origin and destination" });
    return z.NEVER;
  });

export const listWatches = endpoint({
  id: "listWatches",
  tag: "Watchlist",
  method: "GET",
  path: "/watchlist",
  access: "bearer_or_key",
  summary: "List watches",
  description: "Watched routes and port pairs with their latest figures, newest watch first.",
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: "A page of watches.",
    schema: z.object({ watches: z.array(watch), next_cursor: nextCursor }),
  },
});

export const createWatch = endpoint({
  id: "createWatch",
  tag: "Watchlist",
  method: "POST",
  path: "/watchlist",
  access: "bearer_or_key",
  summary: "Watch a route or a port pair",
  description: `Send either route_id, or origin and destination. Watching again keeps the existing watch and its rules. More than ${maxWatches} watches return 409.`,
  body: newWatch,
  answer: { status: 200, description: "The watch.", schema: watch },
  refusals: ["not_found", "conflict"],
  idempotent: true,
  example: { body: { route_id: demoSample.routeId, rules: { rate_change_percent: 5, all_in_below_cents: 420_000 } } },
});

export const getWatch = endpoint({
  id: "getWatch",
  tag: "Watchlist",
  method: "GET",
  path: "/watchlist/{watch_id}",
  access: "bearer_or_key",
  summary: "Show a watch",
  params: watchPath,
  answer: { status: 200, description: "The watch.", schema: watch },
});

export const setWatchRules = endpoint({
  id: "setWatchRules",
  tag: "Watchlist",
  method: "PUT",
  path: "/watchlist/{watch_id}",
  access: "bearer_or_key",
  summary: "Replace the rules of a watch",
  description: "Rules that you omit are turned off. After you change a threshold, it can trigger an alert again.",
  params: watchPath,
  body: z.strictObject({ rules: writtenRules }),
  answer: { status: 200, description: "The updated watch.", schema: watch },
  example: { body: { rules: { rate_change_percent: 3, booking_status: true, stale_data: true } } },
});

export const deleteWatch = endpoint({
  id: "deleteWatch",
  tag: "Watchlist",
  method: "DELETE",
  path: "/watchlist/{watch_id}",
  access: "bearer_or_key",
  summary: "Stop watching",
  description: "Its alerts are kept.",
  params: watchPath,
  answer: {
    status: 200,
    description: "The watch is deleted.",
    schema: z.object({ id, deleted: z.literal(true) }),
  },
});

const rateSeries = {
  service_level: z.string().meta({ example: "standard" }),
  equipment_type: z.string().meta({ example: "45G1" }),
  basis: z.string().nullable().meta({ example: "per_container" }),
  currency: currencyCode,
};

const figures = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("rate_change"),
      ...rateSeries,
      before_cents: z.int().meta({ example: 425_500 }),
      after_cents: z.int().meta({ example: 448_000 }),
      change_percent: z.number().meta({ example: 5.3 }),
    }),
    z.object({
      kind: z.enum(["all_in_below", "all_in_above"]),
      ...rateSeries,
      all_in_cents: z.int(),
      threshold_cents: z.int(),
    }),
    z.object({
      kind: z.literal("capacity_below"),
      available_capacity: z.int(),
      threshold: z.int(),
      capacity_unit: z.string(),
    }),
    z.object({ kind: z.literal("booking_status"), before: z.string(), after: z.string() }),
    z.object({
      kind: z.literal("schedule_slip"),
      service_code: z.string(),
      voyage: z.string(),
      withdrawn: z.boolean(),
      etd_before: localInstant,
      etd_after: localInstant,
      eta_before: localInstant,
      eta_after: localInstant,
    }),
    z.object({
      kind: z.literal("data_stale"),
      period_id: id,
      period_name: z.string(),
      data_as_of: instant.nullable(),
    }),
  ])
  .meta({
    id: "AlertFigures",
    example: {
      ...{ kind: "rate_change", service_level: "standard", equipment_type: "45G1", basis: "per_container" },
      ...{ currency: "USD", before_cents: 425_500, after_cents: 448_000, change_percent: 5.3 },
    },
  });

const alert = z
  .object({
    id: z.int().meta({ example: 4711 }),
    rule: z.enum(alertKinds),
    watch_id: id.nullable().meta({ description: "Null: the watch was deleted.", example: 42 }),
    ...route,
    summary: z.string().nullable().meta({
      description: "What happened, in a sentence. Null if figures is null.",
      example: "40′ high cube (45G1) all-in rate up 5.3% to USD 4,480.00, from USD 4,255.00",
    }),
    figures: figures
      .nullable()
      .meta({ description: "Null while the account has no active subscription to the route." }),
    occurred_at: instant.meta({ description: "When the data changed or became overdue." }),
    created_at: instant,
    read_at: instant.nullable().meta({ description: "Null: unread.", example: null }),
  })
  .meta({ id: "Alert" });

export const listAlerts = endpoint({
  id: "listAlerts",
  tag: "Watchlist",
  method: "GET",
  path: "/alerts",
  access: "bearer_or_key",
  summary: "List alerts",
  description: "Newest first. We also send alerts by e-mail and as the webhook alert.triggered.",
  query: z.object({
    watch_id: idText.optional().meta({ description: "Only alerts of this watch." }),
    route_id: idText.optional().meta({ description: "Only alerts about this route." }),
    rule: z.enum(alertKinds).optional().meta({ description: "Only alerts of this rule.", example: "rate_change" }),
    unread: z
      .enum(["true", "false"])
      .optional()
      .transform((value) => value === "true")
      .meta({ description: "true: only unread alerts.", example: "true" }),
    ...pageQuery,
  }),
  answer: {
    status: 200,
    description: "A page of alerts.",
    schema: z.object({ alerts: z.array(alert), next_cursor: nextCursor }),
  },
});

export const markAlertsRead = endpoint({
  id: "markAlertsRead",
  tag: "Watchlist",
  method: "POST",
  path: "/alerts/mark-read",
  access: "bearer_or_key",
  summary: "Mark alerts as read",
  body: z.strictObject({
    up_to: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .meta({ description: "The ID of an alert. This alert and all older ones are marked as read.", example: 4711 }),
  }),
  answer: {
    status: 200,
    description: "The number of alerts that were unread.",
    schema: z.object({ marked: z.int().min(0) }),
  },
});
