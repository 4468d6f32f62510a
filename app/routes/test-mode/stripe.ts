import type { LoaderFunctionArgs } from "@remix-run/node";
import { getTestService } from "../../context.server.ts";

/** The part of Stripe's API that browsers call, for test mode: confirming a payment or a card setup. */
export const action = async ({ request }: LoaderFunctionArgs): Promise<Response> => {
  const service = await getTestService(request);
  if (service) return service.testMode.simulator.confirmFromBrowser(request);
  return Response.json({ success: false, message: "Path not found" }, { status: 404 });
};
export { action as loader };
