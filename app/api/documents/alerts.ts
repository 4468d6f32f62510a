import type { ShownAlert } from "../../domain/alerts/alert.ts";
import type { Watch, WatchRules } from "../../domain/alerts/watch.ts";
import type { WatchedRoute, WatchWithRoutes } from "../../domain/alerts/watched-routes.server.ts";
import { alertSummary } from "../../domain/alerts/wording.ts";
import { isoPortTime } from "../../domain/catalogue/port-time.ts";
import { isoInstant } from "../../domain/dates.ts";

const rulesDocument = (rules: WatchRules) => ({
  rate_change_percent: rules.rateChangePercent,
  all_in_below_cents: rules.allInBelowCents,
  all_in_above_cents: rules.allInAboveCents,
  capacity_below: rules.capacityBelow,
  booking_status: rules.bookingStatus,
  schedule_slip_days: rules.scheduleSlipDays,
  stale_data: rules.staleData,
});

/** Without its routes, as in the export of the account's data. */
export const bareWatchDocument = ({ id, target, equipmentType, rules, createdAt }: Watch) => ({
  id,
  ...("routeId" in target
    ? { route_id: target.routeId, origin: null, destination: null, cargo_type: null }
    : { route_id: null, origin: target.origin, destination: target.destination, cargo_type: target.cargoType }),
  equipment_type: equipmentType,
  rules: rulesDocument(rules),
  created_at: isoInstant(createdAt),
});

export const watchDocument = (watch: WatchWithRoutes) => ({
  ...bareWatchDocument(watch),
  unread_alerts: watch.unreadAlerts,
  routes: watch.routes.map(watchedRouteDocument),
  routes_total: watch.routesInAll,
});

const watchedRouteDocument = ({ route, access, figures }: WatchedRoute) => ({
  route_id: route.id,
  route_code: route.code,
  route_name: route.name,
  carrier: route.carrier.name,
  cargo_type: route.cargoType,
  has_access: access.hasAccess,
  reason: access.reason,
  figures: figures && {
    rate: figures.rate && {
      service_level: figures.rate.serviceLevel,
      equipment_type: figures.rate.equipmentType,
      basis: figures.rate.basis,
      currency: figures.rate.currency,
      all_in_cents: figures.rate.allInCents,
      observed_at: isoInstant(figures.rate.observedAt),
      week_change_percent: figures.rate.weekChangePercent,
    },
    available_capacity: figures.capacity.available,
    capacity_unit: figures.capacity.unit,
    booking_status: figures.capacity.bookingStatus,
    next_departure: figures.nextDeparture && isoPortTime(figures.nextDeparture, route.origin.timezone),
    data_as_of: figures.dataAsOf && isoInstant(figures.dataAsOf),
    is_stale: figures.isStale,
  },
});

export const alertDocument = (alert: ShownAlert) => ({
  id: alert.id,
  rule: alert.kind,
  watch_id: alert.watchId,
  route_id: alert.route.id,
  route_code: alert.route.code,
  route_name: alert.route.name,
  summary: alert.figures && alertSummary(alert.figures),
  figures: alert.figures,
  occurred_at: isoInstant(alert.occurredAt),
  created_at: isoInstant(alert.createdAt),
  read_at: alert.readAt && isoInstant(alert.readAt),
});
