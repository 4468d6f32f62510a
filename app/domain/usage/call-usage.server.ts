import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { firstUnsettledDay } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { type Quota, readQuota } from "./quota.server.ts";
import { denseSeries, type SeriesPoint, type SeriesRequest, seriesRange, totalOf, type UsagePeriod } from "./series.ts";
import { totalsByPeriod } from "./series-queries.server.ts";
import type { UsageTotals } from "./usage-record.ts";

/** What usage to read: without a key, of all keys and bearer tokens; without a route, also of requests about none. */
export type UsageRequest = SeriesRequest & { apiKeyId?: number | undefined; routeId?: number | undefined };

export type CallUsage = {
  period: UsagePeriod;
  from: Date;
  /** Exclusive. */
  to: Date;
  /** Null for all keys and bearer tokens together. */
  apiKeyId: number | null;
  /** Null for all requests, those about no route included. */
  routeId: number | null;
  /** One point per hour, day or month, oldest first. */
  series: SeriesPoint[];
  totals: UsageTotals;
  quota: Quota;
};

/** Whether the account has ever made a request with one of its API keys, deleted ones included. */
export const hasCalledWithKey = ({ db }: Pick<Context, "db">, { account }: Caller): Promise<boolean> =>
  queries.hasKeyRequests(db, account.id);

/**
 * Usage over time and the current quota. Reads the totals, which are kept for ever.
 *
 * @throws invalid for an empty range and for one that is too long
 * @spec Endpoints (GET /subscriptions/api-call-usage)
 */
export const callUsage = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  caller: Caller,
  { apiKeyId, routeId, ...request }: UsageRequest,
): Promise<CallUsage> => {
  const now = ctx.clock.now();
  const { from, to, starts } = seriesRange(request, now);
  const range = { from, to, apiKeyId, routeId, unsettled: firstUnsettledDay(dayOf(now)) };
  const [counted, quota] = await Promise.all([
    totalsByPeriod(ctx.db, caller.account.id, request.period, range),
    readQuota(ctx, caller.account),
  ]);
  const series = denseSeries(starts, counted);
  const only = { apiKeyId: apiKeyId ?? null, routeId: routeId ?? null };
  return { period: request.period, from, to, ...only, series, totals: totalOf(series), quota };
};
