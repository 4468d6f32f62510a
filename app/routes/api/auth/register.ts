import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/auth.ts";
import { tokenDocument } from "#app/api/documents/auth.ts";
import { serve } from "#app/api/serve.server.ts";
import { register } from "#app/domain/accounts/register.server.ts";
import { openSession } from "#app/domain/accounts/session.server.ts";

export const action = apiRoute(
  serve(contracts.register, async ({ ctx, body, origin }) =>
    tokenDocument(await openSession(ctx, await register(ctx, body, origin), "bearer", origin)),
  ),
);
export { action as loader };
