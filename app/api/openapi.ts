/** Generates the OpenAPI 3.1 document from the contracts, for clients, the documentation and the tests. */
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { bearerHours } from "../domain/accounts/policy.ts";
import { tooManyKeys } from "../domain/api-keys/api-key.ts";
import { type RefusalCode, refusalCodes } from "../domain/errors.ts";
import { longestIdempotencyKey, storedResponseHours } from "../domain/idempotency/policy.ts";
import { hourlyByPlan, planLimits } from "../domain/plans/plans.ts";
import { counted } from "../domain/wording.ts";
import { statusOf } from "../platform/refusal-status.ts";
import { contracts } from "./contracts/all.ts";
import { problem } from "./contracts/shapes.ts";
import { type Access, type Contract, refusalsOf } from "./endpoint.ts";
import { exampleOf } from "./example.ts";
import { bodyTooLarge } from "./input.ts";
import { internalError } from "./problem.ts";

export type OpenApiDocument = oas31.OpenAPIObject;
export type OpenApiOperation = oas31.OperationObject;
export type OpenApiParameter = oas31.ParameterObject;
export type OpenApiResponse = oas31.ResponseObject;
export type OpenApiSchema = oas31.SchemaObject;
export type OpenApiReference = oas31.ReferenceObject;

/** The API's version: the last number changes with additions, the middle one with changes that clients may notice. */
export const apiVersion = "1.0.0";

const documents = new Map<string, OpenApiDocument>();

/** @param appUrl the site's address, without a trailing slash */
export const openApiDocument = (appUrl: string): OpenApiDocument => {
  const document = documents.get(appUrl) ?? withExamples(tidy(describeApi(appUrl)));
  documents.set(appUrl, document);
  return document;
};

const describeApi = (appUrl: string): OpenApiDocument =>
  createDocument({
    openapi: "3.1.0",
    info: {
      title: "Shipping Route Data Service",
      version: apiVersion,
      description: introduction,
    },
    servers: [{ url: `${appUrl}/api`, description: "This service" }],
    tags: tagsInUse(),
    externalDocs: { url: `${appUrl}/docs`, description: "Guides, glossary and samples" },
    paths: pathsOf(contracts),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: `The access_token of POST /auth/login. Lives ${counted(bearerHours, "hour")}; POST /auth/refresh exchanges it.`,
        },
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "The key, as shown once when it was created. Always together with X-Username.",
        },
        username: {
          type: "apiKey",
          in: "header",
          name: "X-Username",
          description: "The key's `user`, exactly.",
        },
      },
      headers,
      responses: { ...refusalResponses(), InternalError: internalErrorResponse() },
    },
  });

/**
 * Removes what zod writes in addition: patterns of formats and numbers, the bounds of safe integers. Numbers in paths and
 * queries, which arrive as text, are shown as numbers.
 */
const tidy = <Part>(part: Part): Part => {
  if (typeof part !== "object" || part === null) return part;
  const schema = part as Partial<Record<"pattern" | "format" | "type" | "maximum" | "minimum" | "example", unknown>>;
  if (typeof schema.pattern === "string" && (schema.format !== undefined || schema.type !== "string")) {
    delete schema.pattern;
  }
  if (schema.type === "integer" && typeof schema.example === "string") schema.example = Number(schema.example);
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  Object.values(part).forEach(tidy);
  return part;
};

const introduction = `Shipping routes between ports: schedules, transit times, rates, surcharges and capacity, by subscription.

Bodies are JSON in snake_case. Timestamps are ISO 8601 in UTC, dates are \`YYYY-MM-DD\`, money is in minor units of its
currency, ports are UN/LOCODEs, distances nautical miles. A field without a value is null, never 0.

Requests an hour: ${hourlyByPlan}. Every response carries the X-RateLimit headers and an X-Request-Id. Every error has the shape of Problem.`;

/** In the order of the documentation. */
const tagDescriptions = {
  Authentication: "Accounts and bearer tokens.",
  "API keys": "Keys for server-to-server access. A key opens the route data endpoint, together with its username.",
  Catalogue: "The records that routes refer to, from regions to carriers. Open to every account.",
  Routes: "The public catalogue, and the data of subscribed routes.",
  Subscriptions: "Prices, payment, and the life of a subscription.",
  Usage: "What the account has requested, and what is left of its quota.",
  Documentation: "This description of the API.",
} as const satisfies Record<Contract["tag"], string>;

const tagsInUse = () =>
  Object.entries(tagDescriptions)
    .filter(([name]) => contracts.some(({ tag }) => tag === name))
    .map(([name, description]) => ({ name, description }));

const pathsOf = (all: Contract[]): ZodOpenApiPathsObject => {
  const paths: ZodOpenApiPathsObject = {};
  for (const contract of all.toSorted(inReadingOrder)) {
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operationOf(contract) };
  }
  return paths;
};

/** Paths by name, literal segments before parameters; reading methods before writing ones. */
const inReadingOrder = (a: Contract, b: Contract): number =>
  a.path === b.path ? methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method) : a.path < b.path ? -1 : 1;

const methodOrder: Contract["method"][] = ["GET", "POST", "PUT", "DELETE"];

const operationOf = (contract: Contract): ZodOpenApiOperationObject => ({
  operationId: contract.id,
  tags: [contract.tag],
  summary: contract.summary,
  ...(contract.description === undefined ? {} : { description: contract.description }),
  security: security[contract.access],
  requestParams: {
    ...(contract.params ? { path: objectOf(contract.params) } : {}),
    ...(contract.query ? { query: objectOf(contract.query) } : {}),
  },
  parameters: headerParameters(contract),
  ...(contract.body
    ? {
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: contract.body,
              ...(contract.example?.body === undefined ? {} : { example: contract.example.body }),
            },
          },
        },
      }
    : {}),
  responses: responsesOf(contract),
});

/** Parameters are always objects; the contract's type is wider. */
const objectOf = (schema: Contract["params"]) =>
  schema as unknown as NonNullable<NonNullable<ZodOpenApiOperationObject["requestParams"]>["path"]>;

const security = {
  public: [],
  bearer: [{ bearer: [] }],
  key: [{ apiKey: [], username: [] }],
} satisfies Record<Access, oas31.SecurityRequirementObject[]>;

const headerParameters = (contract: Contract): oas31.ParameterObject[] => [
  ...(contract.idempotent
    ? [
        {
          name: "Idempotency-Key",
          in: "header" as const,
          description: `Makes a repetition safe for ${counted(storedResponseHours, "hour")}: the same key with the same request gets the first success again; with another request 422, while the first is under way 409.`,
          schema: {
            type: "string" as const,
            minLength: 1,
            maxLength: longestIdempotencyKey,
            pattern: "^[\\x21-\\x7e]+$",
          },
          example: "7f1c1f5e-6a0e-4a53-9a55-0d3c2f0f8a11",
        },
      ]
    : []),
  ...(contract.conditional
    ? [
        {
          name: "If-None-Match",
          in: "header" as const,
          description: "The ETag of an answer you have: 304 without a body if nothing has changed.",
          schema: { type: "string" as const },
          example: '"VwCL3Mq1WkJ6cSg7rZ2dFQx9bTn"',
        },
      ]
    : []),
];

const responsesOf = (contract: Contract): ZodOpenApiResponsesObject => {
  const responses: ZodOpenApiResponsesObject = { [`${contract.answer.status}`]: successOf(contract) };
  if (contract.conditional) {
    responses["304"] = { description: "Nothing has changed.", headers: { ...everywhere, ETag: headerRef("ETag") } };
  }
  const codes = refusalsOf(contract).toSorted((a, b) => statusOf[a] - statusOf[b]);
  for (const code of codes) responses[`${statusOf[code]}`] = { $ref: `#/components/responses/${refusals[code].name}` };
  responses["500"] = { $ref: "#/components/responses/InternalError" };
  return responses;
};

const successOf = ({ answer, conditional, example }: Contract): ZodOpenApiResponseObject => ({
  description: answer.description,
  headers: { ...everywhere, ...(conditional ? { ETag: headerRef("ETag") } : {}) },
  content: {
    [answer.format === "csv" ? "text/csv" : "application/json"]: {
      schema: answer.schema,
      ...(example?.answer === undefined ? {} : { example: example.answer }),
    },
  },
});

const headerRef = (name: keyof typeof headers): oas31.ReferenceObject => ({ $ref: `#/components/headers/${name}` });

const counter = (description: string, example: number): oas31.HeaderObject => ({
  description,
  required: true,
  schema: { type: "integer", minimum: 0 },
  example,
});

const { hourly, burst } = planLimits.free;

const headers = {
  "X-RateLimit-Limit": counter("Requests allowed in the current hour.", hourly),
  "X-RateLimit-Remaining": counter("Requests left in the current hour.", hourly - 13),
  "X-RateLimit-Reset": counter("Unix time, in seconds, at which the hour ends.", 1_795_168_800),
  "RateLimit-Policy": {
    description: "Both windows as an IETF structured field.",
    schema: { type: "string" },
    example: `"hour";q=${hourly};w=3600, "second";q=${burst};w=1`,
  },
  RateLimit: {
    description: "What is left of both windows, as an IETF structured field.",
    schema: { type: "string" },
    example: `"hour";r=${hourly - 13};t=1800, "second";r=${burst - 1};t=1`,
  },
  "X-Request-Id": {
    description: "Names this request; also in the body of every error.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "0d5b6a8e-8d5c-4a6e-9f51-0d0b1d6a2f9e",
  },
  ETag: {
    description: "Names this state of the answer; send it as If-None-Match.",
    required: true,
    schema: { type: "string" },
    example: '"VwCL3Mq1WkJ6cSg7rZ2dFQx9bTn"',
  },
  "Retry-After": {
    ...counter("Seconds to wait before the next attempt.", 42),
    schema: { type: "integer", minimum: 1 },
  },
} satisfies Record<string, oas31.HeaderObject>;

const everywhere = {
  "X-RateLimit-Limit": headerRef("X-RateLimit-Limit"),
  "X-RateLimit-Remaining": headerRef("X-RateLimit-Remaining"),
  "X-RateLimit-Reset": headerRef("X-RateLimit-Reset"),
  "RateLimit-Policy": headerRef("RateLimit-Policy"),
  RateLimit: headerRef("RateLimit"),
  "X-Request-Id": headerRef("X-Request-Id"),
};

/** Each refusal's name in the document, when it happens, and an example message. */
const refusals = {
  malformed: {
    name: "Malformed",
    when: "The body is not JSON in UTF-8, or the path or a header cannot be read.",
    message: "The body is not valid JSON in UTF-8",
  },
  unauthenticated: {
    name: "Unauthenticated",
    when: "Credentials are wrong, missing, inactive or of the other scheme, or the username does not match the key.",
    message: "Invalid or missing authentication",
  },
  forbidden: {
    name: "Forbidden",
    when: "No running subscription opens the route, the account is not in good standing, or the request came over plain HTTP.",
    message: "Insufficient permissions",
  },
  not_found: {
    name: "NotFound",
    when: "There is no such record among those of the account.",
    message: "API key not found",
  },
  method_not_allowed: {
    name: "MethodNotAllowed",
    when: "The path exists, and takes the methods named in Allow.",
    message: "PATCH is not allowed here; use GET, HEAD",
  },
  conflict: {
    name: "Conflict",
    when: "Possible in general, not in the present state; the message says why.",
    message: tooManyKeys("free", planLimits.free.maxApiKeys),
  },
  too_large: {
    name: "TooLarge",
    when: `${bodyTooLarge}.`,
    message: bodyTooLarge,
  },
  unsupported_media_type: {
    name: "UnsupportedMediaType",
    when: "The body is not declared as JSON.",
    message: "Send the body as JSON, with Content-Type: application/json",
  },
  invalid: {
    name: "Invalid",
    when: "Readable, and against the rules; `errors` says which field broke which.",
    message: "The request is not valid; see errors",
  },
  rate_limited: {
    name: "RateLimited",
    when: "The hour's requests or the second's burst are used up. Wait for Retry-After.",
    message: "Too many requests - Rate limit exceeded",
  },
  unavailable: {
    name: "Unavailable",
    when: "The database or the payment provider is away for the moment. Wait for Retry-After.",
    message: "The service is temporarily unavailable; try again shortly",
  },
} as const satisfies Record<RefusalCode, { name: string; when: string; message: string }>;

const exampleRequestId = headers["X-Request-Id"].example;

/** 405 belongs to a path, not to an operation, so no operation refers to it. */
const refusalResponses = (): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    refusalCodes
      .filter((code) => code !== "method_not_allowed")
      .map((code) => [
        refusals[code].name,
        problemResponse(refusals[code].when, problemExample(code), waits.has(code)),
      ]),
  );

const waits: ReadonlySet<RefusalCode> = new Set(["rate_limited", "unavailable"]);

const problemExample = (code: RefusalCode) => ({
  success: false,
  message: refusals[code].message,
  ...(code === "invalid" ? { errors: [{ path: "period_id", message: "Must be at least 1" }] } : {}),
  request_id: exampleRequestId,
});

const internalErrorResponse = (): ZodOpenApiResponseObject =>
  problemResponse("A fault of the service; the request id finds it.", {
    ...internalError.body,
    request_id: exampleRequestId,
  });

const problemResponse = (description: string, example: unknown, wait = false): ZodOpenApiResponseObject => ({
  description,
  headers: { ...everywhere, ...(wait ? { "Retry-After": headerRef("Retry-After") } : {}) },
  content: { "application/json": { schema: problem, example } },
});

/** The contract's example, or else one composed of its fields' examples. */
const withExamples = (document: OpenApiDocument): OpenApiDocument => {
  for (const path of Object.values(document.paths ?? {})) {
    for (const method of ["get", "post", "put", "delete"] as const) {
      const operation = path[method];
      if (!operation) continue;
      const bodies = [operation.requestBody, ...Object.values(operation.responses ?? {})];
      for (const body of bodies) addExample(document, body);
    }
  }
  return document;
};

const addExample = (document: OpenApiDocument, body: unknown) => {
  if (typeof body !== "object" || body === null || !("content" in body)) return;
  for (const media of Object.values(body.content as Record<string, oas31.MediaTypeObject>)) {
    if (media.schema && media.example === undefined) media.example = exampleOf(media.schema, document);
  }
};
