/** Watches for pages. */
import type { Watch } from "#app/domain/alerts/watch.ts";
import type { WatchedRoute, WatchWithRoutes } from "#app/domain/alerts/watched-routes.server.ts";
import { portDay } from "#app/domain/catalogue/port-time.ts";
import { type Day, isoInstant } from "#app/domain/dates.ts";
import { type Buyer, offerOf } from "#app/domain/pricing/own-price.ts";
import { formatWord } from "#app/portal/format.ts";
import { type PriceView, priceFromView } from "#app/portal/price-view.ts";

/** One line of the watchlist: a route with the watch that covers it. */
export type WatchedRow = {
  watchId: number;
  /** `Shanghai → Rotterdam` if a port pair is watched. */
  pair: string | null;
  unreadAlerts: number;
  route: {
    id: number;
    code: string;
    name: string;
    carrier: string;
    cargo: string;
    transitDays: { min: number; max: number };
    sailingsPerWeek: number;
  };
  /** Null: locked. */
  figures: {
    rate: {
      equipmentType: string;
      basis: string | null;
      allInCents: number;
      currency: string;
      observedAt: string;
      weekChangePercent: number | null;
    } | null;
    capacity: { available: number; unit: string; bookingStatus: string };
    /** The day in the local time of the port of origin. */
    nextDeparture: Day | null;
    dataAsOf: string | null;
    isStale: boolean;
  } | null;
  priceFrom: PriceView | null;
  lapsed: boolean;
};

export const watchedRows = (watches: readonly WatchWithRoutes[], buyer: Buyer): WatchedRow[] =>
  watches.flatMap((watch) =>
    watch.routes.map((watched) => ({
      watchId: watch.id,
      pair: pairOf(watch),
      unreadAlerts: watch.unreadAlerts,
      ...routeOf(watched, buyer),
    })),
  );

const routeOf = ({ route, access, figures }: WatchedRoute, buyer: Buyer) => ({
  route: {
    id: route.id,
    code: route.code,
    name: route.name,
    carrier: route.carrier.name,
    cargo: formatWord(route.cargoType),
    transitDays: route.transitDays,
    sailingsPerWeek: route.sailingsPerWeek,
  },
  figures: figures && {
    rate: figures.rate && {
      equipmentType: figures.rate.equipmentType,
      basis: figures.rate.basis,
      allInCents: figures.rate.allInCents,
      currency: figures.rate.currency,
      observedAt: isoInstant(figures.rate.observedAt),
      weekChangePercent: figures.rate.weekChangePercent,
    },
    capacity: figures.capacity,
    nextDeparture: figures.nextDeparture && portDay(figures.nextDeparture, route.origin.timezone),
    dataAsOf: figures.dataAsOf && isoInstant(figures.dataAsOf),
    isStale: figures.isStale,
  },
  priceFrom: priceFromView(buyer, route.periods.map(offerOf)),
  lapsed: access.reason === "expired",
});

const pairOf = ({ target }: Pick<Watch, "target">): string | null =>
  "routeId" in target ? null : `${target.origin.name} → ${target.destination.name}`;

/** What is watched, as a heading: a route's name, or `Shanghai → Rotterdam, container`. */
export const watchTitle = ({ target }: Pick<Watch, "target">, routeName: string | null): string =>
  "routeId" in target
    ? (routeName ?? `Route ${target.routeId}`)
    : `${target.origin.name} → ${target.destination.name}${target.cargoType ? `, ${formatWord(target.cargoType)}` : ""}`;
