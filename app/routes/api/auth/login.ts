import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/auth.ts";
import { tokenDocument } from "#app/api/documents/auth.ts";
import { serve } from "#app/api/serve.server.ts";
import { signIn } from "#app/domain/accounts/sign-in.server.ts";

export const action = apiRoute(
  serve(contracts.login, async ({ ctx, body, origin }) => tokenDocument(await signIn(ctx, body, "bearer", origin))),
);
export { action as loader };
