import { apiRoute, serve } from "../../../api/api-route.server.ts";
import * as contracts from "../../../api/contracts/auth.ts";
import { tokenDocument } from "../../../api/documents/auth.ts";
import { signIn } from "../../../domain/accounts/sign-in.server.ts";

export const action = apiRoute(
  serve(contracts.login, async ({ ctx, body, origin }) => tokenDocument(await signIn(ctx, body, "bearer", origin))),
);
export { action as loader };
