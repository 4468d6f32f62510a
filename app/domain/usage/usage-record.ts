/** The log record of one authenticated API request. @spec Endpoints (GET /api-usage-logs) */
export type UsageRecord = {
  accountId: number;
  occurredAt: Date;
  method: string;
  /** The path's template, for example `/api-keys/{api_key_id}`. */
  endpoint: string;
  status: number;
  durationMs: number;
  /** A streamed response has 0 until it has ended. */
  responseBytes: number;
  /** How many requests the answer counts as, in the totals as against the rate limit. */
  requestCost: number;
  apiKeyId: number | null;
  apiKeyName: string | null;
  routeId: number | null;
  requestId: string;
};

export type UsageTotals = { requests: number; errors: number; rateLimited: number };

/** 429 counts as rate limited, any other status from 400 on as an error. */
export const totalsOf = ({ status, requestCost }: Pick<UsageRecord, "status" | "requestCost">): UsageTotals => ({
  requests: requestCost,
  errors: status >= 400 && status !== 429 ? 1 : 0,
  rateLimited: status === 429 ? 1 : 0,
});
