import type { LoaderFunctionArgs } from "@remix-run/node";
import { getService } from "../../context.server.ts";

/** The part of Stripe's API that browsers use, in test mode: confirming a payment, or the saving of a card. */
export const action = async ({ request }: LoaderFunctionArgs): Promise<Response> => {
  const { testMode } = await getService();
  if (testMode) return testMode.simulator.confirmFromBrowser(request);
  return Response.json({ success: false, message: "Path not found" }, { status: 404 });
};
export { action as loader };
