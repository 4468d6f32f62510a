import type { LoaderFunctionArgs } from "@remix-run/node";
import { handleInngest } from "#inngest/serve.server.ts";

/** Where Inngest calls for the scheduled work; without its keys there is nothing here. */
export const action = ({ request }: LoaderFunctionArgs): Promise<Response> => handleInngest(request);
export { action as loader };
