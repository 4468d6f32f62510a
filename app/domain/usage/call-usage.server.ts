import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import * as queries from "./queries.server.ts";
import { type Quota, readQuota } from "./quota.server.ts";
import { denseSeries, type SeriesPoint, type SeriesRequest, seriesRange, totalOf, type UsagePeriod } from "./series.ts";
import type { UsageTotals } from "./usage-record.ts";

export type CallUsage = {
  period: UsagePeriod;
  from: Date;
  /** Exclusive. */
  to: Date;
  /** Null for all keys and bearer tokens together. */
  apiKeyId: number | null;
  /** One point per hour, day or month, oldest first. */
  series: SeriesPoint[];
  totals: UsageTotals;
  quota: Quota;
};

/**
 * Usage over time and the current quota. Reads the totals, which are kept for ever.
 *
 * @throws invalid for an empty range and for one that is too long
 * @spec Endpoints (GET /subscriptions/api-call-usage)
 */
export const callUsage = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter">,
  caller: Caller,
  { apiKeyId, ...request }: SeriesRequest & { apiKeyId?: number | undefined },
): Promise<CallUsage> => {
  const { from, to, starts } = seriesRange(request, ctx.clock.now());
  const [counted, quota] = await Promise.all([
    queries.totalsByPeriod(ctx.db, caller.account.id, request.period, { from, to, apiKeyId }),
    readQuota(ctx, caller.account),
  ]);
  const series = denseSeries(starts, counted);
  return { period: request.period, from, to, apiKeyId: apiKeyId ?? null, series, totals: totalOf(series), quota };
};
