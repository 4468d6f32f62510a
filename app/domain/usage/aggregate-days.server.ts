import type { Context } from "../context.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import * as queries from "./queries.server.ts";

/** How far back the first run goes. */
const furthestBackDays = 400;

/**
 * Aggregates usage over all accounts for each past day that has not been aggregated yet. Usage is written within moments,
 * so a day is complete a few minutes after its end.
 *
 * @returns how many days were aggregated
 */
export const aggregateServiceDays = async (ctx: Pick<Context, "db" | "clock">): Promise<number> => {
  const today = dayOf(ctx.clock.now());
  const last = await queries.lastServiceDay(ctx.db);
  return queries.insertServiceDays(ctx.db, last ? addDays(last, 1) : addDays(today, -furthestBackDays), today);
};

export type ServiceDay = { day: Day; accounts: number; requests: number; errors: number; rateLimited: number };

/** Every day from `from` to today, with today's usage so far. Days without requests are zeros. */
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
