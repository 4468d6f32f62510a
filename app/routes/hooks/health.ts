import { version } from "../../../package.json";
import { getService, schedulerInUse } from "../../context.server.ts";
import { checkHealth } from "../../domain/health.server.ts";

/** For load balancers and monitors: 200 while the database reads and writes, else 503. */
export const loader = async (): Promise<Response> => {
  const { ctx, config, rateLimitFailures } = await getService();
  const health = await checkHealth(ctx, {
    version,
    scheduler: schedulerInUse(config),
    rateLimitStore: config.redis.kind === "tcp" ? "redis" : config.redis.kind,
    rateLimitFailures: rateLimitFailures(),
  });
  return Response.json(health, {
    status: health.status === "ok" ? 200 : 503,
    headers: { "Cache-Control": "no-store" },
  });
};
