import type { Context } from "../context.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { firstUnsettledDay } from "./policy.ts";
import * as queries from "./summed-queries.server.ts";

/** So many days are summed up again after a run by a clock that was ahead. */
const repeatedDays = 31;

/**
 * Sums up the usage of each account for days that get no more requests. Each day is committed by itself, so that a first
 * run over years may be stopped.
 *
 * @param since past requests were written from this day on; their days are summed up again
 * @returns how many days were summed up
 */
export const sumUpAccounts = async (
  { db, clock }: Pick<Context, "db" | "clock">,
  { signal, since }: { signal?: AbortSignal; since?: Day } = {},
): Promise<number> => {
  const unsettled = firstUnsettledDay(dayOf(clock.now()));
  const next = (await queries.findSummedBefore(db, "days")) ?? (await queries.firstUsedDay(db)) ?? unsettled;
  const first = next > unsettled ? addDays(unsettled, -repeatedDays) : next;
  let days = 0;
  for (let day = since && since < first ? since : first; day < unsettled; day = addDays(day, 1)) {
    if (signal?.aborted) break;
    await queries.sumUp(db, "days", day, addDays(day, 1));
    days++;
  }
  return days;
};
