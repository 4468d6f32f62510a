import type { LoaderFunctionArgs } from "@remix-run/node";
import { getService, metricsText } from "../../context.server.ts";
import { textContentType } from "../../platform/metrics/text.ts";
import { bearerIs } from "../../platform/metrics/token.server.ts";
import { statusOf } from "../../platform/refusal-status.ts";

/** For Prometheus. Without METRICS_TOKEN the address does not exist. */
export const loader = async ({ request }: LoaderFunctionArgs): Promise<Response> => {
  const { token } = (await getService()).config.metrics;
  if (token === null) return new Response("Not found", { status: statusOf.not_found });
  if (!bearerIs(token, request.headers.get("Authorization"))) {
    return new Response("Send the token of METRICS_TOKEN as a bearer token", {
      status: statusOf.unauthenticated,
      headers: { "WWW-Authenticate": "Bearer", "Cache-Control": "no-store" },
    });
  }
  return new Response(await metricsText(), {
    headers: { "Content-Type": textContentType, "Cache-Control": "no-store" },
  });
};
