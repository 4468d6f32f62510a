import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/keys.ts";
import { newKeyDocument } from "#app/api/documents/keys.ts";
import { serve } from "#app/api/serve.server.ts";
import { issueKey } from "#app/domain/api-keys/issue.server.ts";

export const action = apiRoute(
  serve(
    contracts.generateKey,
    async ({
      ctx,
      caller,
      body: {
        expires_at: expiresAt = null,
        hourly_limit: hourlyLimit = null,
        allowed_addresses: allowedAddresses = null,
        ...key
      },
    }) => newKeyDocument(await issueKey(ctx, caller, { ...key, expiresAt, hourlyLimit, allowedAddresses })),
  ),
);
export { action as loader };
