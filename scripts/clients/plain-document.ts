/** The OpenAPI document reduced to what a client needs: operations, inputs, success answers and the shape of errors. */
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiResponse,
  OpenApiSchema,
} from "#app/api/openapi.ts";

export type PlainOperation = {
  id: string;
  method: "get" | "post" | "put" | "delete";
  path: string;
  summary: string;
  description: string;
  tag: string;
  deprecated: boolean;
  /** Of paths and queries. */
  parameters: OpenApiParameter[];
  body: { schema: OpenApiSchema; required: boolean } | null;
  /** Whether Idempotency-Key makes a repetition safe. */
  idempotent: boolean;
  answer: { status: string; description: string; mediaType: string; schema: OpenApiSchema };
};

export type PlainDocument = {
  version: string;
  operations: PlainOperation[];
  schemas: Record<string, OpenApiSchema>;
  source: OpenApiDocument;
};

export const plainDocument = (source: OpenApiDocument): PlainDocument => ({
  version: source.info.version,
  operations: Object.entries(source.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [plainOperation(path, method, operation)] : [];
    }),
  ),
  schemas: Object.fromEntries(
    Object.entries(source.components?.schemas ?? {}).map(([name, schema]) => [name, schema as OpenApiSchema]),
  ),
  source,
});

const methods = ["get", "post", "put", "delete"] as const;

const plainOperation = (
  path: string,
  method: PlainOperation["method"],
  operation: OpenApiOperation,
): PlainOperation => {
  const parameters = (operation.parameters ?? []) as OpenApiParameter[];
  const body = operation.requestBody && "content" in operation.requestBody ? operation.requestBody : null;
  return {
    id: operation.operationId ?? "",
    method,
    path,
    summary: operation.summary ?? "",
    description: operation.description ?? "",
    tag: operation.tags?.[0] ?? "",
    deprecated: operation.deprecated ?? false,
    parameters: parameters.filter((one) => one.in === "path" || one.in === "query"),
    body: body && {
      schema: withoutAlternatives(body.content["application/json"]?.schema as OpenApiSchema),
      required: body.required ?? false,
    },
    idempotent: parameters.some(({ name }) => name === "Idempotency-Key"),
    answer: answerOf(operation),
  };
};

const answerOf = ({ operationId, responses }: OpenApiOperation): PlainOperation["answer"] => {
  const success = Object.entries(responses ?? {}).find(([status]) => status.startsWith("2"));
  if (!success) throw new Error(`${operationId} has no success response`);
  const [status, response] = success as [string, OpenApiResponse];
  const types = Object.keys(response.content ?? {});
  const mediaType = types.find((type) => type === "application/json") ?? types[0] ?? "";
  const schema = (response.content?.[mediaType]?.schema ?? {}) as OpenApiSchema;
  return { status, description: response.description, mediaType, schema };
};

/** Alternatives of required fields are the service's to check; types would not say more with them. */
const withoutAlternatives = ({ oneOf, ...schema }: OpenApiSchema): OpenApiSchema =>
  schema.properties ? schema : { ...schema, ...(oneOf ? { oneOf } : {}) };
