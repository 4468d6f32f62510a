import { z } from "zod";
import { endpoint } from "../endpoint.ts";

/**
 * The Model Context Protocol over streamable HTTP. Each POST has one JSON-RPC message. The endpoint is not part of the
 * OpenAPI document: the protocol describes itself with `tools/list`.
 */
export const mcp = endpoint({
  id: "mcp",
  tag: "Routes",
  method: "POST",
  path: "/mcp",
  access: "bearer_or_key",
  summary: "Model Context Protocol",
  // Not a list: a batch would make many calls of one request.
  body: z.looseObject({ jsonrpc: z.literal("2.0") }),
  answer: { status: 200, description: "A JSON-RPC response.", schema: z.unknown() },
});
