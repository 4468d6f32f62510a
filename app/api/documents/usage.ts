/** The usage log and its totals as JSON documents. */
import { isoInstant } from "../../domain/dates.ts";
import type { CallUsage } from "../../domain/usage/call-usage.server.ts";
import type { Quota } from "../../domain/usage/quota.server.ts";
import type { AccountStats } from "../../domain/usage/stats.server.ts";
import type { UsageLog } from "../../domain/usage/usage-log.ts";
import type { UsageTotals } from "../../domain/usage/usage-record.ts";

export const usageLogDocument = (log: UsageLog) => ({
  id: log.id,
  occurred_at: isoInstant(log.occurredAt),
  method: log.method,
  endpoint: log.endpoint,
  status: log.status,
  duration_ms: log.durationMs,
  response_bytes: log.responseBytes,
  request_cost: log.requestCost,
  api_key_id: log.apiKeyId,
  api_key_name: log.apiKeyName,
  route_id: log.routeId,
  request_id: log.requestId,
});

export const callUsageDocument = (usage: CallUsage) => ({
  period: usage.period,
  from: isoInstant(usage.from),
  to: isoInstant(usage.to),
  api_key_id: usage.apiKeyId,
  series: usage.series.map((point) => ({ starts_at: isoInstant(point.startsAt), ...totalsDocument(point) })),
  totals: totalsDocument(usage.totals),
  quota: quotaDocument(usage.quota),
});

export const statsDocument = (stats: AccountStats) => ({
  subscriptions: stats.subscriptions,
  spend: {
    total_cents: stats.spend.totalCents,
    last_30_days_cents: stats.spend.recentCents,
    currency: stats.spend.currency,
  },
  requests: { today: stats.today.requests, last_30_days: stats.lastDays.requests },
  error_rate: stats.lastDays.errors / Math.max(1, stats.lastDays.requests),
  duration_ms: stats.durationMs,
  top_routes: stats.topRoutes.map(({ id, ...route }) => ({ route_id: id, ...route })),
  top_keys: stats.topKeys.map(({ id, name, requests }) => ({ api_key_id: id, api_key_name: name, requests })),
  quota: quotaDocument(stats.quota),
});

const totalsDocument = ({ requests, errors, rateLimited }: UsageTotals) => ({
  requests,
  errors,
  rate_limited: rateLimited,
});

const quotaDocument = ({ limit, remaining, resetsAt }: Quota) => ({
  limit,
  remaining,
  resets_at: isoInstant(resetsAt),
});
