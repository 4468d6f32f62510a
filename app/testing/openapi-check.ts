/** Checks responses against the OpenAPI document: status, headers, media type and body. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiReference,
  type OpenApiResponse,
  openApiDocument,
} from "../api/openapi.ts";

export const document: OpenApiDocument = openApiDocument("http://localhost:3000");

const root = "https://localhost/openapi.json";
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
(addFormats as unknown as typeof addFormats.default)(ajv);
ajv.addSchema(document, root);

const validators = new Map<string, ValidateFunction>();

/** @param pointer path to the schema in the document, as segments */
export const validatorAt = (pointer: readonly string[]): ValidateFunction => {
  const escaped = pointer.map((segment) => encodeURIComponent(segment.replaceAll("~", "~0").replaceAll("/", "~1")));
  const ref = `${root}#/${escaped.join("/")}`;
  const validator = validators.get(ref) ?? ajv.compile({ $ref: ref });
  validators.set(ref, validator);
  return validator;
};

/**
 * @param path below `/api`, without the query
 * @throws Error that names every deviation from the document
 */
export const assertMatchesDocument = (
  method: string,
  path: string,
  status: number,
  headers: Record<string, string>,
  body: string,
): void => {
  const found = operationAt(method === "HEAD" ? "GET" : method, path);
  const pointer = found ? responsePointer(found, status) : unlisted(path, status);
  const faults = pointer ? faultsOf(pointer, headers, body) : ["the document does not know this status here"];
  if (faults.length > 0) {
    const shown = body.length > 500 ? `${body.slice(0, 500)}…` : body;
    throw new Error(`${method} ${path} answered ${status}, against the document:\n${faults.join("\n")}\n${shown}`);
  }
};

type Found = { template: string; method: string; operation: OpenApiOperation };

const templates = Object.keys(document.paths ?? {})
  .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`) }))
  .sort((a, b) => Number(a.template.includes("{")) - Number(b.template.includes("{")));

const templateOf = (path: string) => templates.find(({ pattern }) => pattern.test(path))?.template;

const methods = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;

const operationAt = (method: string, path: string): Found | null => {
  const template = templateOf(path);
  const name = (methods as Record<string, "get" | "post" | "put" | "delete">)[method];
  const operation = template && name ? document.paths?.[template]?.[name] : undefined;
  return template && name && operation ? { template, method: name, operation } : null;
};

const responsePointer = ({ template, method, operation }: Found, status: number): string[] | null => {
  const response = operation.responses?.[`${status}`] as OpenApiResponse | OpenApiReference | undefined;
  if (!response) return null;
  return "$ref" in response ? response.$ref.slice(2).split("/") : ["paths", template, method, "responses", `${status}`];
};

/** Responses that are allowed for a wrong method and for an unknown path. */
const unlisted = (path: string, status: number): string[] | null => {
  const names: Record<number, string> = {
    [templateOf(path) === undefined ? 404 : 405]: "NotFound",
    429: "RateLimited",
    500: "InternalError",
    503: "Unavailable",
  };
  const name = names[status];
  return name === undefined ? null : ["components", "responses", name];
};

const faultsOf = (pointer: string[], headers: Record<string, string>, body: string): string[] => {
  const response = at(pointer) as OpenApiResponse;
  return [...headerFaults(response, headers), ...bodyFaults(response, pointer, headers["Content-Type"] ?? "", body)];
};

const at = (pointer: readonly string[]): unknown =>
  pointer.reduce<unknown>((part, segment) => (part as Record<string, unknown>)[segment], document);

const headerFaults = (response: OpenApiResponse, headers: Record<string, string>): string[] =>
  Object.keys(response.headers ?? {}).flatMap((name) => {
    const pointer = ["components", "headers", name];
    const { required, schema } = at(pointer) as { required?: boolean; schema: { type: string } };
    const text = headers[name];
    if (text === undefined) return required ? [`header ${name} is missing`] : [];
    const validate = validatorAt([...pointer, "schema"]);
    const valid = validate(schema.type === "integer" ? Number(text) : text);
    return valid ? [] : [`header ${name}: ${text}: ${ajv.errorsText(validate.errors)}`];
  });

const bodyFaults = (response: OpenApiResponse, pointer: string[], contentType: string, body: string): string[] => {
  if (!response.content) return body === "" ? [] : ["a body where there is none"];
  const mediaType = contentType.split(";")[0]?.trim() ?? "";
  if (!response.content[mediaType]) return [`the media type is ${mediaType}`];
  const validate = validatorAt([...pointer, "content", mediaType, "schema"]);
  if (validate(mediaType === "application/json" ? JSON.parse(body) : body)) return [];
  return [ajv.errorsText(validate.errors, { dataVar: "body", separator: "\n" })];
};
