import { serve } from "inngest/remix";
import type { Context } from "../app/domain/context.ts";
import type { Config } from "../app/platform/env.server.ts";
import { inngestClient } from "./client.ts";
import { inngestFunctions } from "./functions.ts";

export type InngestHandler = (args: { request: Request }) => Promise<Response>;

export const inngestPath = "/hooks/inngest";

/** Answers Inngest's calls. @param signal aborted when the service stops */
export const inngestHandler = (
  ctx: Context,
  config: NonNullable<Config["inngest"]>,
  signal: AbortSignal,
): InngestHandler => {
  const client = inngestClient(config, ctx.log);
  return serve({
    client,
    functions: inngestFunctions(client, ctx, signal),
    serveOrigin: ctx.settings.appUrl,
    servePath: inngestPath,
    enableUnauthedSync: false,
  });
};
