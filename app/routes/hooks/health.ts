import { getService } from "../../context.server.ts";
import { checkHealth } from "../../domain/health.server.ts";

/** For load balancers: 200 while the database answers, else 503. */
export const loader = async (): Promise<Response> => {
  const { ctx, rateLimitFailures } = await getService();
  const health = await checkHealth(ctx, rateLimitFailures());
  return Response.json(health, {
    status: health.status === "ok" ? 200 : 503,
    headers: { "Cache-Control": "no-store" },
  });
};
