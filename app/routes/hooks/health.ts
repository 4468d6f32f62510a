import { getService, processFacts } from "../../context.server.ts";
import { checkHealth } from "../../domain/health.server.ts";
import { statusOf } from "../../platform/refusal-status.ts";

/** 200 while the database reads and writes, else 503. Monitors should look at `status` too. */
export const loader = async (): Promise<Response> => {
  const service = await getService();
  const health = await checkHealth(service.ctx, processFacts(service));
  return Response.json(health, {
    status: health.status === "ok" || health.status === "degraded" ? 200 : statusOf.unavailable,
    headers: { "Cache-Control": "no-store" },
  });
};
