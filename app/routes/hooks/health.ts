import { version } from "../../../package.json";
import { getService, schedulerInUse } from "../../context.server.ts";
import { checkHealth } from "../../domain/health.server.ts";
import { statusOf } from "../../platform/refusal-status.ts";

/** For load balancers: 200 while the database reads and writes, else 503. Monitors should look at `status` too. */
export const loader = async (): Promise<Response> => {
  const { ctx, config, started, rateLimitFailures } = await getService();
  const health = await checkHealth(ctx, {
    version,
    scheduler: schedulerInUse(config),
    started,
    rateLimitStore: config.redis.kind === "tcp" ? "redis" : config.redis.kind,
    rateLimitFailures: rateLimitFailures(),
  });
  return Response.json(health, {
    status: health.status === "database_away" ? statusOf.unavailable : 200,
    headers: { "Cache-Control": "no-store" },
  });
};
