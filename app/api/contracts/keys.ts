import { z } from "zod";
import { keyStatus, newKey } from "../../domain/api-keys/api-key.ts";
import { keysByPlan } from "../../domain/plans/plans.ts";
import { endpoint } from "../endpoint.ts";
import { id, idText, instant, nextCursor, pageQuery } from "./shapes.ts";

const key = {
  id,
  api_key_name: z.string().meta({ example: "Rate sync, production" }),
  user: z.string().meta({ description: "Sent as X-Username with the key.", example: "forwarder-ops" }),
  status: keyStatus,
  created_at: instant,
};

export const apiKey = z
  .object({
    ...key,
    key_prefix: z
      .string()
      .meta({ description: "The first characters, to tell keys apart.", example: "srd_live_4fG7aQ" }),
    last_used_at: instant.nullable(),
    requests: z.int().min(0).meta({ description: "Since the key was created." }),
  })
  .meta({ id: "ApiKey" });

const keyPath = z.object({ api_key_id: idText.meta({ description: "The key's id." }) });

export const generateKey = endpoint({
  id: "generateApiKey",
  tag: "API keys",
  method: "POST",
  path: "/api-keys/generate",
  access: "bearer",
  summary: "Create an API key",
  description: `The key itself is in this answer and in no other: store it now. It works at once. An account can have so many keys, inactive ones included: ${keysByPlan}. Beyond that the answer is 409.`,
  body: newKey,
  answer: {
    status: 200,
    description: "The key, with its secret.",
    schema: z
      .object({
        ...key,
        api_key: z.string().meta({
          description: "The secret. Never shown again.",
          example: "srd_live_4fG7aQm2Zt0uYcVh9LrXw8KdPj5Ns1Be6Tg3Ri7Oy4Ua2Ek0Vw",
        }),
      })
      .meta({ id: "NewApiKey" }),
  },
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
  description: "An inactive key is refused from the next request on.",
  params: keyPath,
  body: z.strictObject({ status: keyStatus }),
  answer: { status: 200, description: "The key as it is now.", schema: apiKey },
});

export const deleteKey = endpoint({
  id: "deleteApiKey",
  tag: "API keys",
  method: "DELETE",
  path: "/api-keys/{api_key_id}",
  access: "bearer",
  summary: "Delete an API key, for good",
  description: "Applications that use it are locked out at once.",
  params: keyPath,
  answer: {
    status: 200,
    description: "The key is gone.",
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
    description: "RFC 4180, with a header line; never the secrets. Cells that a spreadsheet would run begin with '.",
    schema: z.string(),
  },
  example: {
    answer:
      'id,api_key_name,key_prefix,user,status,created_at,last_used_at,requests\r\n42,"Rate sync, production",srd_live_4fG7aQ,forwarder-ops,active,2026-11-20T09:30:00Z,2026-11-20T09:41:07Z,1204\r\n',
  },
});
