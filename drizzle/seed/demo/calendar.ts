/** The weeks, months and quarters of the demo market. Depends on the day only, not on the time. */
import { openPeriodName, quarterOf } from "#app/domain/catalogue/quarter.ts";
import { addDays, addMonths, type Day } from "#app/domain/dates.ts";
import { mondayOf, weekOf } from "#app/domain/schedules/demo/weeks.ts";

export type DemoWeek = { index: number; monday: Day };
export type DemoQuarter = { code: string; name: string; startsOn: Day; endsOn: Day | null };

export type DemoCalendar = {
  today: Day;
  /** The Mondays to report on, oldest first, all before today. `index` counts weeks since 1969-12-29. */
  weeks: DemoWeek[];
  /** The first days of the months to report on, oldest first, all before today. */
  months: Day[];
  /** Four ended quarters and the open one, oldest first. */
  quarters: DemoQuarter[];
};

const monthsOfHistory = 13;
const endedQuarters = 4;

export const demoCalendarOf = (today: Day): DemoCalendar => {
  const quarters = quartersUntil(today);
  const firstDay = latest(addMonths(today, -monthsOfHistory), quarters[0]?.startsOn ?? today);
  const weeks: DemoWeek[] = [];
  for (let index = weekOf(addDays(firstDay, 6)); mondayOf(index) < today; index++) {
    weeks.push({ index, monday: mondayOf(index) });
  }
  const firstMonth = `${firstDay.slice(0, 7)}-01`;
  const months = Array.from({ length: monthsOfHistory + 2 }, (_, i) => addMonths(firstMonth, i));
  return { today, weeks, months: months.filter((month) => firstDay <= month && month < today), quarters };
};

/** All observations are made at 06:00 UTC. */
export const observedAt = (day: Day): string => `${day}T06:00:00Z`;

/** The time of the latest observation. */
export const newestObservation = ({ weeks, months }: DemoCalendar): string =>
  observedAt(latest(weeks.at(-1)?.monday ?? "", months.at(-1) ?? ""));

/** The quarter that contains a day. */
export const quarterAt = ({ quarters }: DemoCalendar, day: Day): DemoQuarter | undefined =>
  quarters.findLast(({ startsOn }) => startsOn <= day);

const quartersUntil = (today: Day): DemoQuarter[] => {
  const { startsOn: openStart } = quarterOf(today);
  return Array.from({ length: endedQuarters + 1 }, (_, i) => {
    const quarter = quarterOf(addMonths(openStart, (i - endedQuarters) * 3));
    // The scheduler ends the open one with its quarter.
    return i === endedQuarters ? { ...quarter, name: openPeriodName(openStart), endsOn: null } : quarter;
  });
};

const latest = (a: Day, b: Day): Day => (a > b ? a : b);
