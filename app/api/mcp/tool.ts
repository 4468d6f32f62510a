/**
 * Tools are endpoints of the API under another name: the same contract, the same verb. Their JSON Schemas come from the
 * OpenAPI document.
 */
import type { ApiAction } from "../api-route.server.ts";
import type { Contract } from "../endpoint.ts";
import {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  type OpenApiSchema,
  openApiDocument,
} from "../openapi.ts";
import type { Endpoint } from "../serve.server.ts";

export type Tool = {
  /** As models read it: snake_case, a verb first. */
  name: string;
  title: string;
  /** For the model: what the tool answers and when to use it. */
  description: string;
  endpoint: Endpoint;
  /** Arguments that apply unless the model sends others. */
  defaults: Readonly<Record<string, unknown>>;
};

/** @param spec.from the route module of the endpoint, which must have one method and change nothing */
export const tool = ({
  from,
  defaults = {},
  ...spec
}: Omit<Tool, "endpoint" | "defaults"> & { from: ApiAction; defaults?: Tool["defaults"] }): Tool => {
  const [endpoint, another] = from.endpoints;
  if (!endpoint || another) throw new Error(`${from.path} does not have exactly one method`);
  return { ...spec, defaults, endpoint };
};

export type ObjectSchema = { type: "object"; [keyword: string]: unknown };

type ToolSchemas = { inputSchema: ObjectSchema; outputSchema: ObjectSchema };

export const schemasOf = ({ endpoint: { contract }, defaults }: Tool, appUrl: string): ToolSchemas => {
  const document = openApiDocument(appUrl);
  const operation = operationOf(document, contract);
  const input = contract.body ? bodySchema(operation) : querySchema(operation);
  return {
    inputSchema: standalone(document, withDefaults(input, defaults)),
    outputSchema: standalone(document, answerSchema(operation, contract)),
  };
};

const operationOf = (document: OpenApiDocument, { path, method }: Contract): OpenApiOperation => {
  const operation = document.paths?.[path]?.[method === "GET" ? "get" : "post"];
  if (!operation) throw new Error(`The document has no ${method} ${path}`);
  return operation;
};

const querySchema = (operation: OpenApiOperation): OpenApiSchema => {
  const queries = (operation.parameters as OpenApiParameter[]).filter((one) => one.in === "query");
  return {
    type: "object",
    properties: Object.fromEntries(
      queries.map(({ name, description, schema }) => [
        name,
        { ...(schema as OpenApiSchema), ...(description ? { description } : {}) },
      ]),
    ),
    required: queries.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
};

/** Without alternatives at the top level, which several models' APIs reject. The contract still checks them. */
const bodySchema = ({ requestBody }: OpenApiOperation): OpenApiSchema => {
  const media = requestBody && "content" in requestBody ? requestBody.content["application/json"] : undefined;
  const { oneOf: _, ...schema } = (media?.schema ?? {}) as OpenApiSchema;
  return schema;
};

const answerSchema = (operation: OpenApiOperation, { answer }: Contract): OpenApiSchema => {
  const response = operation.responses?.[`${answer.status}`] as OpenApiResponse;
  return response.content?.["application/json"]?.schema as OpenApiSchema;
};

const withDefaults = (schema: OpenApiSchema, defaults: Tool["defaults"]): OpenApiSchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      name in defaults ? { ...property, default: defaults[name] } : property,
    ]),
  ),
});

const componentRef = /^#\/components\/schemas\//;

/** The schema with everything that it refers to in `$defs`, so that it is complete without the document. */
const standalone = (document: OpenApiDocument, schema: OpenApiSchema): ObjectSchema => {
  const definitions: Record<string, unknown> = {};
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part !== "object" || part === null) return part;
    // To clients that validate by draft-07, `items: false` means an empty list.
    const { items: _, ...tuple } = part as { items?: unknown; prefixItems?: unknown[] };
    const schema = tuple.prefixItems ? { ...tuple, maxItems: tuple.prefixItems.length } : part;
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]) =>
        keyword === "$ref" && typeof value === "string" ? [keyword, define(value)] : [keyword, copy(value)],
      ),
    );
  };
  const define = (ref: string): string => {
    const name = ref.replace(componentRef, "");
    if (!(name in definitions)) {
      definitions[name] = null;
      definitions[name] = copy(document.components?.schemas?.[name]);
    }
    return `#/$defs/${name}`;
  };
  const { $ref, ...own } = copy(schema) as { $ref?: string };
  const whole = $ref === undefined ? own : { ...(definitions[$ref.replace("#/$defs/", "")] as object), ...own };
  return { type: "object", ...whole, ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}) };
};
