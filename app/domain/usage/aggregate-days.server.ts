import type { Context } from "../context.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import * as queries from "./queries.server.ts";

/** Whoever begins with a long history has so much of it summed up. */
const furthestBackDays = 400;

/**
 * Sums up, over all accounts, each day that is over and has not been. Rows of a day are written within moments of it, so
 * that a day is complete some minutes after its end.
 *
 * @returns how many days
 */
export const aggregateServiceDays = async (ctx: Pick<Context, "db" | "clock">): Promise<number> => {
  const today = dayOf(ctx.clock.now());
  const last = await queries.lastServiceDay(ctx.db);
  return queries.insertServiceDays(ctx.db, last ? addDays(last, 1) : addDays(today, -furthestBackDays), today);
};

export type ServiceDay = { day: Day; accounts: number; requests: number; errors: number; rateLimited: number };

/** Every day from `from` up to today, which is counted as it stands; days without a request are zeros. */
export const serviceDays = async (ctx: Pick<Context, "db" | "clock">, input: { from: Day }): Promise<ServiceDay[]> => {
  const today = dayOf(ctx.clock.now());
  const last = await queries.lastServiceDay(ctx.db);
  const notSummed = last !== null && last >= input.from ? addDays(last, 1) : input.from;
  const [summed, counted] = await Promise.all([
    queries.serviceDaysFrom(ctx.db, input.from),
    queries.countServiceDays(ctx.db, notSummed, addDays(today, 1)),
  ]);
  const known = new Map([...summed, ...counted].map((row) => [row.day, row]));
  const days: ServiceDay[] = [];
  for (let day = input.from; day <= today; day = addDays(day, 1)) {
    days.push(known.get(day) ?? { day, accounts: 0, requests: 0, errors: 0, rateLimited: 0 });
  }
  return days;
};
