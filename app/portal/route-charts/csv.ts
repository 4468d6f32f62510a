/** The numbers of a chart as CSV, every observation in its range, with the API's names and units. */
import type { Cell } from "../../domain/csv.ts";
import type { ChartName } from "./models.ts";
import type { RouteChartsView } from "./route-charts-view.ts";

type Columns<Point> = Record<string, (point: Point) => Cell>;

/** The header and the rows. */
export const chartCsv = (name: ChartName, view: RouteChartsView): [header: string[], rows: Cell[][]] => {
  switch (name) {
    case "rates":
      return tableOf(view.rates?.points ?? [], {
        ...observed,
        equipment_type: () => view.rates?.kind.equipmentType || null,
        basis: () => view.rates?.basis ?? null,
        currency: () => view.rates?.currency ?? null,
        base_rate_cents: ({ baseCents }) => baseCents,
        surcharges_cents: ({ surchargesCents }) => surchargesCents,
        all_in_cents: ({ allInCents }) => allInCents,
      });
    case "capacity":
      return tableOf(view.capacity.points, {
        ...observed,
        available_capacity: ({ available }) => available,
        capacity_unit: () => view.capacity.unit,
        booking_status: ({ booking }) => booking,
        nominal_capacity_today: () => view.capacity.nominal,
      });
    case "on-time":
      return tableOf(view.onTime.points, {
        ...observed,
        on_time_percent: ({ percent }) => percent,
        mean_delay_days: ({ meanDelayDays }) => meanDelayDays,
      });
    case "transit":
      return tableOf(view.transit.points, { ...observed, transit_days: ({ days }) => days });
  }
};

const observed: Columns<{ at: string; serviceLevel: string }> = {
  observed_at: ({ at }) => at,
  service_level: ({ serviceLevel }) => serviceLevel,
};

const tableOf = <Point>(points: readonly Point[], columns: Columns<Point>): [string[], Cell[][]] => [
  Object.keys(columns),
  points.map((point) => Object.values(columns).map((cellOf) => cellOf(point))),
];
