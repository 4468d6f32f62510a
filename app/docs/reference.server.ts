/** Turns the OpenAPI document into the data of the reference pages. */
import { exampleOf, resolve } from "../api/example.ts";
import {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiReference,
  type OpenApiResponse,
  type OpenApiSchema,
  openApiDocument,
} from "../api/openapi.ts";
import { demoSample, type SampleRoute } from "../api/sample-route.ts";
import { largestId } from "../domain/input.ts";
import {
  type Field,
  type Operation,
  type OperationAccess,
  type OperationResponse,
  type OperationSummary,
  type Parameter,
  type ReferenceGroup,
  slugOf,
} from "./reference.ts";
import { samplesOf } from "./samples.ts";

type Schema = OpenApiSchema | OpenApiReference;
type Entry = { method: string; path: string; operation: OpenApiOperation };

/** Endpoints grouped by tag, in document order. */
export const referenceGroups = (appUrl: string): ReferenceGroup[] => {
  const document = openApiDocument(appUrl);
  const entries = entriesOf(document);
  return (document.tags ?? []).map(({ name, description }) => ({
    tag: name,
    slug: slugOf(name),
    description: description ?? "",
    operations: entries.filter(({ operation }) => operation.tags?.[0] === name).map(summaryOf),
  }));
};

/** Null if there is no such endpoint. */
export const referenceOperation = (
  appUrl: string,
  slug: string,
  sample: SampleRoute = demoSample,
): Operation | null => {
  const document = openApiDocument(appUrl);
  const entry = entriesOf(document).find((one) => summaryOf(one).slug === slug);
  return entry ? describe(document, entry, sample) : null;
};

/** Every error status that any endpoint can answer with. */
export const referenceErrors = (appUrl: string): { status: number; when: string; message: string }[] => {
  const document = openApiDocument(appUrl);
  const responses = new Map<number, OpenApiResponse>();
  for (const { operation } of entriesOf(document)) {
    for (const { status, response } of responsesOf(document, operation))
      if (status >= 400) responses.set(status, response);
  }
  return [...responses]
    .sort(([a], [b]) => a - b)
    .map(([status, { description, content }]) => ({
      status,
      when: description,
      message: content?.["application/json"]?.example?.message ?? "",
    }));
};

const entriesOf = (document: OpenApiDocument): Entry[] =>
  Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (["get", "post", "put", "delete"] as const).flatMap((method) => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path, operation }] : [];
    }),
  );

const summaryOf = ({ method, path, operation }: Entry): OperationSummary => ({
  slug: slugOf(operation.operationId ?? ""),
  method,
  path,
  summary: operation.summary ?? "",
});

const describe = (document: OpenApiDocument, entry: Entry, sample: SampleRoute): Operation => {
  const { operation } = entry;
  const parameters = ((operation.parameters ?? []) as OpenApiParameter[])
    .map((one) => parameterOf(document, one))
    .map((one) => (one.in === "query" ? { ...one, example: queryExample(one, sample) } : one));
  const media = mediaOf(operation.requestBody);
  const body = media && bodyExample(media.example, sample);
  const responses = responsesOf(document, operation);
  const isStream = responses.some(({ response }) => response.content?.["text/event-stream"]);
  return {
    ...summaryOf(entry),
    tag: operation.tags?.[0] ?? "",
    description: operation.description ?? null,
    access: accessOf(operation),
    isStream,
    parameters,
    body: media && {
      fields: fieldsOf(document, media.schema),
      note: noteOf(document, media.schema),
      example: JSON.stringify(body, null, 2),
    },
    responses: responses.map(({ status, response }) => responseOf(document, status, response)),
    samples: samplesOf({
      method: entry.method,
      url: sampleUrl(`${document.servers?.[0]?.url ?? ""}${entry.path}`, parameters),
      access: accessOf(operation),
      body: media ? withVariables(body, entry.path) : undefined,
      csv: responses.some(({ response: { content } }) => content?.["text/csv"] && !content["application/json"]),
      events: isStream,
    }),
  };
};

/** A route's id in the query is named `id`. */
const queryExample = ({ name, example }: Parameter, sample: SampleRoute): string => {
  if (name === "id") return String(sample.routeId);
  return name === "origin" || name === "destination" ? sample[name] : example;
};

/** With the ids of this catalogue. */
const bodyExample = (example: unknown, sample: SampleRoute): unknown =>
  mapFields(example, {
    route_id: sample.routeId,
    route_ids: [sample.routeId, sample.otherRouteId],
    period_id: sample.periodId,
  });

/** Ids that only the reader has. Those in paths are in braces already. */
const withVariables = (body: unknown, path: string): unknown =>
  mapFields(body, {
    payment_intent_id: "{payment_intent_id}",
    subscription_ids: ["{subscription_id}", "{other_subscription_id}"],
    ...(path.startsWith("/webhooks") ? { url: "{webhook_url}" } : {}),
  });

const mapFields = (value: unknown, replaced: Record<string, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapFields(item, replaced));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, replaced[name] ?? mapFields(field, replaced)]),
  );
};

/** Explains which sets of fields are alternatives. */
const noteOf = (document: OpenApiDocument, schema: Schema | undefined): string | null => {
  const choices = (schema ? resolve(schema, document).oneOf : undefined) ?? [];
  const sets = choices.map((choice) => ("required" in choice && choice.required) || []).filter((set) => set.length > 0);
  return sets.length < 2 ? null : `Send either ${sets.map((names) => names.join(" and ")).join(", or ")}.`;
};

const accessOf = ({ security }: OpenApiOperation): OperationAccess => {
  const [requirement, alternative] = security ?? [];
  if (!requirement) return "public";
  if (alternative) return "bearer_or_key";
  return "bearer" in requirement ? "bearer" : "key";
};

const parameterOf = (document: OpenApiDocument, parameter: OpenApiParameter): Parameter => {
  const schema = parameter.schema ?? {};
  const example = parameter.example ?? exampleOf(schema, document, parameter.name);
  return {
    ...fieldOf(document, parameter.name, schema, parameter.required === true),
    ...(parameter.description ? { description: parameter.description } : {}),
    in: parameter.in as Parameter["in"],
    example: String(example),
  };
};

/** With the required parameters; without any, with a few filters as an example. Ids in the path are variables. */
const sampleUrl = (url: string, parameters: Parameter[]): string => {
  const queries = parameters.filter((one) => one.in === "query");
  const required = queries.filter(({ required }) => required);
  const filters = queries.filter(({ name }) => name === "origin" || name === "destination" || name === "period");
  const shown = required.length > 0 ? required : filters;
  const query = new URLSearchParams(shown.map(({ name, example }) => [name, example]));
  return shown.length === 0 ? url : `${url}?${query}`;
};

const mediaOf = (body: OpenApiOperation["requestBody"]) =>
  (body && "content" in body && body.content["application/json"]) || null;

const responsesOf = (document: OpenApiDocument, operation: OpenApiOperation) =>
  Object.entries(operation.responses ?? {}).map(([status, response]) => ({
    status: Number(status),
    response: responseAt(document, response),
  }));

const responseAt = (document: OpenApiDocument, response: OpenApiResponse | OpenApiReference): OpenApiResponse => {
  if (!("$ref" in response)) return response;
  const found = document.components?.responses?.[response.$ref.split("/").at(-1) ?? ""];
  if (!found || "$ref" in found) throw new Error(`The document has no response ${response.$ref}`);
  return found;
};

const responseOf = (document: OpenApiDocument, status: number, response: OpenApiResponse): OperationResponse => {
  const [mediaType, media] = Object.entries(response.content ?? {})[0] ?? [null, null];
  return {
    status,
    description: response.description,
    mediaType,
    fields: status < 300 && mediaType === "application/json" ? fieldsOf(document, media?.schema) : [],
    example: media ? textOf(media.example) : null,
  };
};

const textOf = (example: unknown) => (typeof example === "string" ? example : JSON.stringify(example, null, 2));

const fieldsOf = (document: OpenApiDocument, schema: Schema | undefined): Field[] => {
  if (!schema) return [];
  const inner = innermost(document, schema);
  return Object.entries(inner.properties ?? {}).map(([name, field]) =>
    fieldOf(document, name, field, inner.required?.includes(name) ?? false),
  );
};

const fieldOf = (document: OpenApiDocument, name: string, schema: Schema, required: boolean): Field => {
  const found = resolve(schema, document);
  return {
    name,
    type: typeOf(document, found),
    required,
    description: found.description ?? null,
    limits: limitsOf(found),
    values: (found.enum ?? innermost(document, found).enum ?? []).map(String),
    fields: fieldsOf(document, found),
  };
};

/** The element schema behind arrays and nullable types. */
const innermost = (document: OpenApiDocument, schema: Schema): OpenApiSchema => {
  const found = resolve(schema, document);
  if (found.items && typeof found.items === "object") return innermost(document, found.items as Schema);
  const branch = found.anyOf?.find((one) => resolve(one, document).type !== "null");
  return branch ? innermost(document, branch) : found;
};

const typeOf = (document: OpenApiDocument, schema: OpenApiSchema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(document, resolve(one, document))).join(" or ");
  if (schema.prefixItems) return `array of ${schema.prefixItems.length}`;
  if (schema.items && typeof schema.items === "object") {
    return `array of ${plural(typeOf(document, resolve(schema.items as Schema, document)))}`;
  }
  if (schema.format === "date-time") return "timestamp";
  return schema.format ?? (Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "any"));
};

const plural = (type: string) => (/^(string|integer|number|object|date|timestamp)$/.test(type) ? `${type}s` : type);

const limitsOf = (schema: OpenApiSchema): string | null => {
  const unit = schema.type === "array" ? " items" : schema.type === "string" ? " characters" : "";
  const least = schema.minimum ?? schema.minLength ?? schema.minItems;
  const most = schema.maximum ?? schema.maxLength ?? schema.maxItems;
  // Bounds of ids are left out: they are those of the database column.
  const range = most === largestId ? null : rangeOf(least, most);
  const parts = [range && `${range}${unit}`, schema.default !== undefined && `default ${schema.default}`].filter(
    Boolean,
  );
  return parts.length === 0 ? null : parts.join(", ");
};

const rangeOf = (least: number | undefined, most: number | undefined): string | null => {
  if (most === undefined) return least ? `at least ${least}` : null;
  if (least === most) return `exactly ${most}`;
  return least === undefined ? `at most ${most}` : `${least} to ${most}`;
};
