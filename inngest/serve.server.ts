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
  if (handle) return handle({ request });
  return Response.json({ success: false, message: "The path not found" }, { status: 404 });
};

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
