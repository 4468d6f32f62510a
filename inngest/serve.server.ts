import { serve } from "inngest/remix";
import { getService } from "../app/context.server.ts";
import { bodyUpTo } from "../app/platform/request-body.server.ts";
import { inngestClient } from "./client.ts";
import { inngestFunctions } from "./functions.ts";

type Handler = (args: { request: Request }) => Promise<Response>;

let handler: Promise<Handler | null> | undefined;

/** Answers Inngest's signed calls; 404 where the embedded scheduler does its work. */
export const handleInngest = async (request: Request): Promise<Response> => {
  handler ??= build();
  const handle = await handler;
  if (!handle) return refusal(404, "Path not found");
  const bounded = await boundedCopy(request);
  if (!bounded) return refusal(413, `The body is larger than ${longestCallBytes / 1024 / 1024} MiB`);
  try {
    return await handle({ request: bounded });
  } catch (error) {
    // The SDK reads the body before it looks at the signature.
    if (error instanceof SyntaxError) return refusal(400, "The body is not JSON");
    throw error;
  }
};

/** Many times as long as any call for a job of ours, which take no input and return a few numbers. */
const longestCallBytes = 1024 * 1024;

/** The SDK reads whatever is sent to it before it checks the signature. @returns null where that is too long */
const boundedCopy = async (request: Request): Promise<Request | null> => {
  const body = await bodyUpTo(longestCallBytes, request);
  if (!body) return null;
  const { url, method, headers } = request;
  return new Request(url, { method, headers, ...(body.length > 0 ? { body } : {}) });
};

const refusal = (status: number, message: string): Response => Response.json({ success: false, message }, { status });

const build = async (): Promise<Handler | null> => {
  const { ctx, config } = await getService();
  if (!config.inngest) return null;
  const client = inngestClient(config.inngest, ctx.log);
  return serve({
    client,
    functions: inngestFunctions(client, ctx),
    serveOrigin: config.appUrl,
    servePath: "/hooks/inngest",
    enableUnauthedSync: false,
  });
};
