/** The x axis of observations over time. */
import { gapsIn } from "../../../domain/catalogue/change-over.ts";
import { addMonths, type Day, daysBetween } from "../../../domain/dates.ts";
import { formatDay, formatInstant, formatMonth } from "../../format.ts";
import type { AxisLabel, ChartModel, Span } from "./chart-model.ts";

type TimeAxis = Required<Pick<ChartModel, "labels" | "positions" | "axisLabels" | "gaps" | "spans">> &
  Pick<ChartModel, "late">;

type Period = {
  name: string;
  startsOn: Day;
  /** Exclusive. Null: open. */
  endsOn: Day | null;
};

/**
 * @param instants ISO 8601, ascending
 * @param options.lateUntil now, if a newer observation is overdue. Null: the axis ends with the last observation.
 */
export const timeAxis = (
  instants: readonly string[],
  { periods, lateUntil }: { periods: readonly Period[]; lateUntil: string | null },
): TimeAxis => {
  const [first = "", last = ""] = [instants[0], instants.at(-1)];
  const end = lateUntil !== null && lateUntil > last ? lateUntil : last;
  const [from, length] = [Date.parse(first), Math.max(1, Date.parse(end) - Date.parse(first))];
  const position = (instant: string) => (Date.parse(instant) - from) / length;
  const days = instants.map((instant) => instant.slice(0, 10));
  return {
    labels: instants.map((instant, i) =>
      days[i - 1] === days[i] || days[i + 1] === days[i] ? formatInstant(instant) : formatDay(instant),
    ),
    positions: instants.map(position),
    axisLabels: [
      ...monthLabels(first.slice(0, 10), end.slice(0, 10), position),
      { position: position(last), text: formatDay(last) },
    ],
    gaps: gapsIn(days),
    spans: periods.flatMap(({ name, startsOn, endsOn }) =>
      spanOf(name, position(startsOn), endsOn === null ? 1 : position(endsOn)),
    ),
    ...(end === last ? {} : { late: { from: position(last), to: 1, label: "Update late" } }),
  };
};

const mostMonths = 6;
const monthSteps = [1, 3, 6, 12, 24, 60];

/** Close to the last date there is no room for another label, on a phone even less. */
const lastMonthAt = { usual: 0.8, phone: 0.5 };

const monthLabels = (from: Day, to: Day, position: (day: Day) => number): AxisLabel[] => {
  const months = daysBetween(from, to) / 30.4;
  const step = monthSteps.find((one) => months / one <= mostMonths) ?? 120;
  const year = `${from.slice(0, 4)}-01-01`;
  const starts = Array.from({ length: Math.ceil((months + 12) / step) + 1 }, (_, i) => addMonths(year, i * step));
  return starts
    .filter((day) => day >= from && position(day) <= lastMonthAt.usual)
    .map((day, i) => ({
      position: position(day),
      text: formatMonth(day),
      minor: i % 2 === 1 || position(day) > lastMonthAt.phone,
    }));
};

const spanOf = (label: string, start: number, end: number): Span[] => {
  const [from, to] = [Math.max(0, start), Math.min(1, end)];
  return from < to ? [{ from, to, label }] : [];
};
