import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const openApi = endpoint({
  id: "getOpenApiDocument",
  tag: "Documentation",
  method: "GET",
  path: "/openapi.json",
  access: "public",
  summary: "Get the OpenAPI document",
  description: "OpenAPI 3.1, generated from the contracts that validate every request and response.",
  answer: {
    status: 200,
    description: "The document.",
    schema: z.record(z.string(), z.unknown()).meta({ description: "An OpenAPI 3.1 document." }),
  },
  conditional: true,
  example: {
    answer: { openapi: "3.1.0", info: { title: "Shipping Route Data Service", version: "1.1.0" }, paths: {} },
  },
});
