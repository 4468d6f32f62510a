import type { Context } from "../context.ts";
import { addDays, addMonths, type Day, dayOf, firstOfMonth } from "../dates.ts";
import { firstUnsettledDay } from "./policy.ts";
import type { SummedPeriod } from "./summed-columns.server.ts";
import * as queries from "./summed-queries.server.ts";

/** So many days are summed up again after a run by a clock that was ahead. */
const repeatedDays = 31;

const periods = {
  days: { startOf: (day: Day) => day, after: (day: Day) => addDays(day, 1) },
  months: { startOf: firstOfMonth, after: (month: Day) => addMonths(month, 1) },
} satisfies Record<SummedPeriod, unknown>;

type World = Pick<Context, "db" | "clock">;
type Options = {
  signal?: AbortSignal;
  /** Past requests were written from this day on; their days and months are summed up again. */
  since?: Day;
};

/**
 * Sums up the usage of each account for days that get no more requests, by day and by month. The last month grows by a day
 * each night. Each day and month is committed by itself, so that a first run over years may be stopped.
 *
 * @returns how many days and months were written
 */
export const sumUpAccounts = async (ctx: World, options: Options = {}): Promise<{ days: number; months: number }> => ({
  days: await sumUp(ctx, "days", options),
  months: await sumUp(ctx, "months", options),
});

const sumUp = async ({ db, clock }: World, period: SummedPeriod, { signal, since }: Options) => {
  const { startOf, after } = periods[period];
  const unsettled = firstUnsettledDay(dayOf(clock.now()));
  const summedBefore = await queries.findSummedBefore(db, period);
  const next = summedBefore ?? (await queries.firstUsedDay(db));
  if (next === null) return 0;
  const settled = next > unsettled ? addDays(unsettled, -repeatedDays) : next;
  let from = since && since < settled ? since : settled;
  if (summedBefore !== null && from < summedBefore) {
    from = startOf(from);
    await queries.deleteSummed(db, period, from);
  }
  let count = 0;
  while (from < unsettled && !signal?.aborted) {
    const end = after(startOf(from));
    const before = end < unsettled ? end : unsettled;
    if (!(await queries.sumUp(db, period, from, before))) break;
    from = before;
    count++;
  }
  return count;
};
