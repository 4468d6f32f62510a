import { z } from "zod";
import { keyAllowedAddresses, keyHourlyLimit, keyStatus, newKey } from "../../domain/api-keys/api-key.ts";
import { leakedKey } from "../../domain/api-keys/leaked-key.ts";
import { maxAllowedAddresses, overlapLimits } from "../../domain/api-keys/policy.ts";
import { secretPattern } from "../../domain/api-keys/secret-pattern.ts";
import { keysByPlan } from "../../domain/plans/plans.ts";
import { endpoint } from "../endpoint.ts";
import { id, idText, instant, instantText, nextCursor, pageQuery } from "./shapes.ts";

const key = {
  id,
  api_key_name: z.string().meta({ example: "Rate sync, production" }),
  user: z.string().meta({ description: "Sent as X-Username with the key.", example: "forwarder-ops" }),
  status: keyStatus,
  created_at: instant,
  expires_at: instant.nullable().meta({
    description: "When the key expires and becomes inactive. Null: it does not expire.",
    example: null,
  }),
  hourly_limit: z.int().nullable().meta({
    description: "Requests per hour with this key, within your plan's limit. Null: only the plan's limit applies.",
    example: null,
  }),
  allowed_addresses: z
    .array(z.string())
    .nullable()
    .meta({
      description: "IP addresses and networks that may use this key. Null: it works from everywhere.",
      example: ["203.0.113.0/24"],
    }),
};

export const apiKey = z
  .object({
    ...key,
    key_prefix: z
      .string()
      .meta({ description: "The first characters of the key, to identify it.", example: "srd_live_4fG7aQ" }),
    last_used_at: instant.nullable(),
    requests: z.int().min(0).meta({ description: "Number of requests since the key was created." }),
    rotated_at: instant.nullable().meta({
      description: "When the key was rotated. It works until expires_at and is then deleted. Null: it was not rotated.",
      example: null,
    }),
  })
  .meta({ id: "ApiKey" });

const keyPath = z.object({ api_key_id: idText.meta({ description: "The key's ID." }) });

const expiresAt = instantText.nullable();

const issued = z
  .object({
    ...key,
    api_key: z.string().meta({
      description: "The secret. Never shown again.",
      example: "srd_live_4fG7aQm2Zt0uYcVh9LrXw8KdPj5Ns1Be6Tg3Ri7Oy4Ua2Ek0Vw",
    }),
  })
  .meta({ id: "NewApiKey" });

export const generateKey = endpoint({
  id: "generateApiKey",
  tag: "API keys",
  method: "POST",
  path: "/api-keys/generate",
  access: "bearer",
  summary: "Create an API key",
  description: `Only this response has the key itself: store it now. The key works immediately. Your plan limits the number of keys, inactive ones included: ${keysByPlan}. More return 409.`,
  body: newKey.extend({
    expires_at: expiresAt.optional().meta({
      description: "When the key expires. If omitted, it does not expire.",
      example: "2036-11-20T00:00:00Z",
    }),
    hourly_limit: keyHourlyLimit.optional().meta({
      description: "Requests per hour with this key. If omitted, only your plan's limit applies.",
      example: 500,
    }),
    allowed_addresses: keyAllowedAddresses.optional().meta({
      description: "IP addresses and networks that may use this key. If omitted, it works from everywhere.",
      example: ["203.0.113.0/24"],
    }),
  }),
  answer: { status: 200, description: "The key, with its secret.", schema: issued },
  refusals: ["conflict"],
  idempotent: true,
});

export const listKeys = endpoint({
  id: "listApiKeys",
  tag: "API keys",
  method: "GET",
  path: "/api-keys",
  access: "bearer",
  summary: "List the account's API keys",
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: "Newest first, without their secrets.",
    schema: z.object({ api_keys: z.array(apiKey), next_cursor: nextCursor }),
  },
});

export const getKey = endpoint({
  id: "getApiKey",
  tag: "API keys",
  method: "GET",
  path: "/api-keys/{api_key_id}",
  access: "bearer",
  summary: "Show an API key",
  params: keyPath,
  answer: { status: 200, description: "The key, without its secret.", schema: apiKey },
});

export const setKeyStatus = endpoint({
  id: "setApiKeyStatus",
  tag: "API keys",
  method: "PUT",
  path: "/api-keys/{api_key_id}/status",
  access: "bearer",
  summary: "Activate or deactivate an API key",
  description:
    "Takes effect with the next request: an inactive key returns 401. Activating an expired key removes its expiry date.",
  params: keyPath,
  body: z.strictObject({ status: keyStatus }),
  answer: { status: 200, description: "The updated key.", schema: apiKey },
});

export const setKeyExpiry = endpoint({
  id: "setApiKeyExpiry",
  tag: "API keys",
  method: "PUT",
  path: "/api-keys/{api_key_id}/expiry",
  access: "bearer",
  summary: "Set when an API key expires",
  description:
    "The key becomes inactive at that time. We send a reminder by e-mail. Keys do not expire unless you set this.",
  params: keyPath,
  body: z.strictObject({
    expires_at: expiresAt.meta({ description: "Null: the key does not expire.", example: "2036-11-20T00:00:00Z" }),
  }),
  answer: { status: 200, description: "The updated key.", schema: apiKey },
  refusals: ["conflict"],
  example: { body: { expires_at: "2036-11-20T00:00:00Z" } },
});

export const setKeyLimit = endpoint({
  id: "setApiKeyLimit",
  tag: "API keys",
  method: "PUT",
  path: "/api-keys/{api_key_id}/limit",
  access: "bearer",
  summary: "Limit the requests of an API key",
  description:
    "Limits the requests per hour with this key, so that one application cannot use up your plan's limit. Requests above it return 429 and do not count toward the plan's limit. Takes effect with the next request.",
  params: keyPath,
  body: z.strictObject({
    hourly_limit: keyHourlyLimit.meta({
      description: "Requests per hour. Null: only the plan's limit applies.",
      example: 500,
    }),
  }),
  answer: { status: 200, description: "The updated key.", schema: apiKey },
  refusals: ["conflict"],
  example: { body: { hourly_limit: 500 } },
});

export const setKeyAddresses = endpoint({
  id: "setApiKeyAllowedAddresses",
  tag: "API keys",
  method: "PUT",
  path: "/api-keys/{api_key_id}/allowed-addresses",
  access: "bearer",
  summary: "Limit where an API key works",
  description: `Accepts requests with this key only from these IP addresses and networks (CIDR), up to ${maxAllowedAddresses}. Requests from elsewhere return 403. They are in your request log, and count toward the limit of the address and not toward that of your plan. Takes effect with the next request. A rotated key passes its list on.`,
  params: keyPath,
  body: z.strictObject({
    allowed_addresses: keyAllowedAddresses.meta({
      description: "IPv4 or IPv6 addresses and networks. Null: the key works from everywhere.",
      example: ["203.0.113.0/24", "2001:db8:7::/48"],
    }),
  }),
  answer: { status: 200, description: "The updated key.", schema: apiKey },
  refusals: ["conflict"],
  example: { body: { allowed_addresses: ["203.0.113.0/24", "2001:db8:7::/48"] } },
});

export const rotateKey = endpoint({
  id: "rotateApiKey",
  tag: "API keys",
  method: "POST",
  path: "/api-keys/{api_key_id}/rotate",
  access: "bearer",
  summary: "Rotate an API key",
  description:
    "Creates a new key with the same name, username, hourly limit and allowed addresses. Both keys work until the overlap ends; then the old key is deleted. During the overlap it does not count toward the plan's maximum.",
  params: keyPath,
  body: z.strictObject({
    overlap_hours: z
      .int()
      .min(0)
      .max(overlapLimits.most)
      .default(overlapLimits.usual)
      .meta({ description: "How many hours the old key still works. 0: it is deleted immediately.", example: 24 }),
  }),
  answer: { status: 200, description: "The new key, with its secret.", schema: issued },
  refusals: ["conflict"],
  idempotent: true,
  example: { body: { overlap_hours: 24 } },
});

export const reportLeakedKey = endpoint({
  id: "reportLeakedKey",
  tag: "API keys",
  method: "POST",
  path: "/leaked-keys",
  access: "public",
  summary: "Report a found API key",
  description:
    "For people and secret scanners that find a key in public. Revokes it at once and permanently, and tells its account by e-mail. The response is the same whether or not the key exists. Needs no credentials.",
  body: leakedKey.extend({
    api_key: leakedKey.shape.api_key.meta({
      description: `The key as found. Keys match ${secretPattern}.`,
      example: "srd_live_4fG7aQm2Zt0uYcVh9LrXw8KdPj5Ns1Be6Tg3Ri7Oy4Ua2Ek0Vw",
    }),
    url: leakedKey.shape.url.meta({
      description: "Where it was found. We pass it on to the account.",
      example: "https://git.example.com/rates/blob/main/.env",
    }),
  }),
  answer: {
    status: 200,
    description: "The report was received.",
    schema: z.object({ received: z.literal(true) }),
  },
});

export const deleteKey = endpoint({
  id: "deleteApiKey",
  tag: "API keys",
  method: "DELETE",
  path: "/api-keys/{api_key_id}",
  access: "bearer",
  summary: "Delete an API key",
  description: "Takes effect immediately: applications that use the key lose access. A deleted key cannot be restored.",
  params: keyPath,
  answer: {
    status: 200,
    description: "The key is deleted.",
    schema: z.object({ id, deleted: z.literal(true) }),
  },
});

export const exportKeys = endpoint({
  id: "exportApiKeys",
  tag: "API keys",
  method: "GET",
  path: "/api-keys/export",
  access: "bearer",
  summary: "Export the account's API keys as CSV",
  answer: {
    status: 200,
    format: "csv",
    description:
      "RFC 4180, with a header line, without secrets. Text that a spreadsheet would run as a formula begins with an apostrophe.",
    schema: z.string(),
  },
  example: {
    answer:
      'id,api_key_name,key_prefix,user,status,created_at,last_used_at,requests,expires_at,hourly_limit\r\n42,"Rate sync, production",srd_live_4fG7aQ,forwarder-ops,active,2026-11-20T09:30:00.000Z,2026-11-20T09:41:07.000Z,1204,,500\r\n',
  },
});
