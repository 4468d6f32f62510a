import { serve } from "inngest/remix";
import { getService } from "../app/context.server.ts";
import { inngestClient } from "./client.ts";
import { inngestFunctions } from "./functions.ts";

type Handler = (args: { request: Request }) => Promise<Response>;

let handler: Promise<Handler | null> | undefined;

/** Answers Inngest's signed calls; 404 where the embedded scheduler does its work. */
export const handleInngest = async (request: Request): Promise<Response> => {
  handler ??= build();
  const handle = await handler;
  if (!handle) return refusal(404, "The path not found");
  try {
    return await handle({ request });
  } catch (error) {
    // The SDK reads the body before it looks at the signature.
    if (error instanceof SyntaxError) return refusal(400, "The body is no JSON");
    throw error;
  }
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
