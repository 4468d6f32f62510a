/** API keys as JSON documents. */
import type { ApiKey } from "../../domain/api-keys/api-key.ts";
import { isoInstant } from "../../domain/dates.ts";

export const keyDocument = (key: ApiKey) => ({
  id: key.id,
  api_key_name: key.name,
  user: key.user,
  status: key.status,
  created_at: isoInstant(key.createdAt),
  expires_at: key.expiresAt && isoInstant(key.expiresAt),
  hourly_limit: key.hourlyLimit,
  allowed_addresses: key.allowedAddresses,
  key_prefix: key.displayPrefix,
  last_used_at: key.lastUsedAt && isoInstant(key.lastUsedAt),
  requests: key.requests,
  rotated_at: key.replacedAt && isoInstant(key.replacedAt),
});

export const newKeyDocument = ({ secret, ...key }: ApiKey & { secret: string }) => ({
  ...keyDocument(key),
  api_key: secret,
});
