import { getService, isStopping } from "../../context.server.ts";
import { checkReadiness } from "../../domain/health.server.ts";
import { statusOf } from "../../platform/refusal-status.ts";

/** For load balancers and rolling deploys: 200 while this process should get requests, else 503 with the reason. */
export const loader = async (): Promise<Response> => {
  const status = isStopping() ? "stopping" : await checkReadiness((await getService()).ctx);
  return Response.json(
    { status },
    { status: status === "ok" ? 200 : statusOf.unavailable, headers: { "Cache-Control": "no-store" } },
  );
};
