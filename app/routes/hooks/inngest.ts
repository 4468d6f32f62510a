import type { LoaderFunctionArgs } from "@remix-run/node";
import { handleInngest } from "#inngest/serve.server.ts";

/** Inngest's calls for scheduled work; 404 without its keys. */
export const action = ({ request }: LoaderFunctionArgs): Promise<Response> => handleInngest(request);
export { action as loader };
