import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { addDays, addMonths, type Day, dayOf, firstOfMonth, startOf } from "../dates.ts";
import type { UsageRequest } from "./call-usage.server.ts";
import { durationSample, filterChoiceMonths, firstUnsettledDay } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { seriesRange } from "./series.ts";
import type { UsageTotals } from "./usage-record.ts";
import { type TotalsWithin, totalsWithin } from "./used-queries.server.ts";

export type UsageBreakdown = TotalsWithin & {
  /** In milliseconds, from the remaining log records. Null if there are none. */
  durationMs: { p50: number | null; p95: number | null };
};

/**
 * The endpoints, keys and routes behind the series that `callUsage` returns for the same request.
 *
 * @throws invalid for an empty range and for one that is too long
 */
export const usageBreakdown = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  { apiKeyId, routeId, ...request }: UsageRequest,
): Promise<UsageBreakdown> => {
  const accountId = caller.account.id;
  const now = ctx.clock.now();
  const { from, to } = seriesRange(request, now);
  const range = { from, to, apiKeyId, routeId };
  const [totals, durationMs] = await Promise.all([
    totalsWithin(ctx.db, accountId, { ...range, unsettled: firstUnsettledDay(dayOf(now)) }),
    queries.durationsWithin(ctx.db, accountId, range, durationSample),
  ]);
  return { ...totals, durationMs };
};

/** Endpoints, keys and routes that were used recently, by name: the choices of filters. */
export const recentlyUsed = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
): Promise<{
  endpoints: string[];
  keys: { id: number; name: string }[];
  routes: { id: number; code: string; name: string }[];
}> => {
  const today = dayOf(ctx.clock.now());
  const range = {
    from: startOf(addMonths(firstOfMonth(today), -filterChoiceMonths)),
    to: startOf(addDays(today, 1)),
    unsettled: firstUnsettledDay(today),
  };
  const { endpoints, keys, routes } = await totalsWithin(ctx.db, caller.account.id, range);
  return {
    endpoints: endpoints.map(({ endpoint }) => endpoint).sort(),
    keys: keys
      .flatMap(({ id, name }) => (id === null || name === null ? [] : [{ id, name }]))
      .sort((a, b) => a.name.localeCompare(b.name, "en") || a.id - b.id),
    routes: routes
      .map(({ id, code, name }) => ({ id, code, name }))
      .sort((a, b) => a.name.localeCompare(b.name, "en") || a.id - b.id),
  };
};

export type DailyUsage = UsageTotals & {
  day: Day;
  endpoint: string;
  /** Null for bearer tokens. */
  apiKeyId: number | null;
  /** Null for a deleted key, too. */
  apiKeyName: string | null;
  /** Null for requests about no route. */
  routeId: number | null;
  routeCode: string | null;
};

/**
 * Usage by day, key, route and endpoint, for every day that the range touches. Without `from` and `to` the days that
 * `callUsage` has.
 *
 * @throws invalid for an empty range and for one of more days than a series can have
 */
export const dailyUsage = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  { period, from, to, ...only }: UsageRequest,
): Promise<{ rows: DailyUsage[]; firstDay: Day; lastDay: Day }> => {
  const now = ctx.clock.now();
  const days = seriesRange({ period: "days", ...seriesRange({ period, from, to }, now) }, now);
  return {
    rows: await queries.totalsByDay(ctx.db, caller.account.id, { ...only, ...days }),
    firstDay: dayOf(days.from),
    lastDay: addDays(dayOf(days.to), -1),
  };
};
