import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { addDays, dayOf, startOf } from "../dates.ts";
import { durationSample, filterChoiceDays } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { seriesRange, type UsagePeriod } from "./series.ts";
import type { UsageTotals } from "./usage-record.ts";

export type UsageBreakdown = {
  /** By path template, most requested first. */
  endpoints: (UsageTotals & { endpoint: string })[];
  /** Most active first, deleted keys included. Id and name are null for bearer tokens. */
  keys: (UsageTotals & { id: number | null; name: string | null })[];
  /** In milliseconds, from the remaining log records. Null if there are none. */
  durationMs: { p50: number | null; p95: number | null };
};

/** The endpoints and keys behind a series of `callUsage`. Takes that series' period, `from` and `to`. */
export const usageBreakdown = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  range: { period: UsagePeriod; from: Date; to: Date },
): Promise<UsageBreakdown> => {
  const accountId = caller.account.id;
  const [endpoints, keys, durationMs] = await Promise.all([
    queries.totalsByEndpoint(ctx.db, accountId, range),
    queries.totalsByKey(ctx.db, accountId, range),
    queries.durationsWithin(ctx.db, accountId, range, durationSample),
  ]);
  return { endpoints, keys, durationMs };
};

/** Endpoints and keys that were used recently, by name: the choices of the log's filters. */
export const recentlyUsed = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
): Promise<{ endpoints: string[]; keys: { id: number; name: string }[] }> => {
  const accountId = caller.account.id;
  const now = ctx.clock.now();
  const from = startOf(addDays(dayOf(now), -filterChoiceDays));
  const range = { period: "days", ...seriesRange({ period: "days", from }, now) } as const;
  const [endpoints, keys] = await Promise.all([
    queries.totalsByEndpoint(ctx.db, accountId, range),
    queries.totalsByKey(ctx.db, accountId, range),
  ]);
  return {
    endpoints: endpoints.map(({ endpoint }) => endpoint).sort(),
    keys: keys
      .flatMap(({ id, name }) => (id === null || name === null ? [] : [{ id, name }]))
      .sort((a, b) => a.name.localeCompare(b.name, "en") || a.id - b.id),
  };
};
