import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/auth.ts";
import { tokenDocument } from "../../../api/documents/auth.ts";
import { register } from "../../../domain/accounts/register.server.ts";
import { openSession } from "../../../domain/accounts/session.server.ts";

export const action = apiRoute(
  serve(contracts.register, async ({ ctx, body, origin }) =>
    tokenDocument(await openSession(ctx, await register(ctx, body, origin), "bearer", origin)),
  ),
);
export { action as loader };
