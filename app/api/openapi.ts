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
import { changesGone } from "../domain/changes/policy.ts";
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
import { everywhere, headerRef, headers } from "./openapi-headers.ts";
import { describeWebhooks } from "./openapi-webhooks.ts";
import { internalError } from "./problem.ts";

export type OpenApiDocument = oas31.OpenAPIObject;
export type OpenApiOperation = oas31.OperationObject;
export type OpenApiParameter = oas31.ParameterObject;
export type OpenApiResponse = oas31.ResponseObject;
export type OpenApiSchema = oas31.SchemaObject;
export type OpenApiReference = oas31.ReferenceObject;

/** The API's version: the last number changes with additions, the middle one with changes that clients may notice. */
export const apiVersion = "1.1.0";

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
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: `The access_token of POST /auth/login. Valid for ${counted(bearerHours, "hour")}. POST /auth/refresh exchanges it for a new one.`,
        },
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description: "The API key, shown once when it is created. Always send it with X-Username.",
        },
        username: {
          type: "apiKey",
          in: "header",
          name: "X-Username",
          description: "The key's `user`, including case.",
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

Bodies are JSON in snake_case. Timestamps are ISO 8601 in UTC with milliseconds, dates are \`YYYY-MM-DD\`. Amounts are in minor units of
their currency, ports are UN/LOCODEs, distances are in nautical miles. A field without a value is null, never 0.

Requests per hour: ${hourlyByPlan}. Every response has the X-RateLimit headers and an X-Request-Id. Every error has the schema Problem.

Query parameters that an endpoint does not know are ignored and listed in X-Ignored-Parameters. With
\`Prefer: handling=strict\` the request returns 422 instead.`;

/** In the order of the documentation. */
const tagDescriptions = {
  Authentication: "Accounts and bearer tokens.",
  "API keys": "Keys for server-to-server access to route data. Send a key with its username.",
  Catalogue: "Regions, trade lanes, route groups, ports and carriers. Available to every account.",
  Routes: "The public catalogue, and the data of subscribed routes.",
  Subscriptions: "Prices, purchase, renewal and billing.",
  Watchlist: "Watched routes and port pairs, and their alerts.",
  Usage: "The usage log, usage statistics and the quota.",
  Webhooks: "Endpoints that receive events, and their delivery log.",
  Documentation: "The OpenAPI document.",
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
  ...describedAs(contract),
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

const describedAs = ({ description, deprecated }: Contract) => {
  const text = [deprecated && `Deprecated until ${deprecated.sunset}. ${deprecated.instead}`, description];
  return {
    ...(deprecated ? { deprecated: true } : {}),
    ...(text.some(Boolean) ? { description: text.filter(Boolean).join("\n\n") } : {}),
  };
};

/** Parameters are always objects; the contract's type is wider. */
const objectOf = (schema: Contract["params"]) =>
  schema as unknown as NonNullable<NonNullable<ZodOpenApiOperationObject["requestParams"]>["path"]>;

const security = {
  public: [],
  bearer: [{ bearer: [] }],
  key: [{ apiKey: [], username: [] }],
  bearer_or_key: [{ bearer: [] }, { apiKey: [], username: [] }],
} satisfies Record<Access, oas31.SecurityRequirementObject[]>;

const headerParameters = (contract: Contract): oas31.ParameterObject[] => [
  ...(contract.query
    ? [
        {
          name: "Prefer",
          in: "header" as const,
          description: "`handling=strict` (RFC 7240): unknown query parameters return 422 instead of being ignored.",
          schema: { type: "string" as const },
          example: "handling=strict",
        },
      ]
    : []),
  ...(contract.idempotent
    ? [
        {
          name: "Idempotency-Key",
          in: "header" as const,
          description: `Makes retries safe for ${counted(storedResponseHours, "hour")}: the same key with the same request returns the first successful response. With a different request it returns 422, and 409 while the first request is still running.`,
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
  ...(contract.answer.format === "events"
    ? [
        {
          name: "Last-Event-ID",
          in: "header" as const,
          description: "The last `id` that you received. The new stream continues after it.",
          schema: { type: "string" as const },
          example: "WyJjaGFuZ2VzIiw0MjExN10",
        },
      ]
    : []),
  ...(contract.conditional
    ? [
        {
          name: "If-None-Match",
          in: "header" as const,
          description: "The ETag of an earlier response. Returns 304 without a body if nothing has changed.",
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

const successOf = ({ answer, conditional, files, example }: Contract): ZodOpenApiResponseObject => ({
  description: answer.description,
  headers: {
    ...everywhere,
    ...(conditional ? { ETag: headerRef("ETag") } : {}),
    ...(files ? { "X-Request-Cost": headerRef("X-Request-Cost"), "X-Total-Rows": headerRef("X-Total-Rows") } : {}),
  },
  content: {
    [mediaTypes[answer.format ?? "json"]]: {
      schema: answer.schema,
      ...(example?.answer === undefined ? {} : { example: example.answer }),
    },
    ...Object.fromEntries(
      Object.entries(files ?? {}).map(([type, { description }]) => [
        type,
        { schema: { type: "string" as const, description } },
      ]),
    ),
  },
});

const mediaTypes = { json: "application/json", csv: "text/csv", events: "text/event-stream" } as const;

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
    when: "The account has no active subscription to the route or is not in good standing, or the request came over plain HTTP.",
    message: "Insufficient permissions",
  },
  not_found: {
    name: "NotFound",
    when: "The record does not exist or belongs to another account.",
    message: "API key not found",
  },
  method_not_allowed: {
    name: "MethodNotAllowed",
    when: "The path does not support this method. Allow lists those it does.",
    message: "PATCH is not allowed here; use GET, HEAD",
  },
  conflict: {
    name: "Conflict",
    when: "The request conflicts with the current state. The message says why.",
    message: tooManyKeys("free", planLimits.free.maxApiKeys),
  },
  gone: {
    name: "Gone",
    when: "The changes after this cursor or time have been deleted. Read the route data again, then continue from next_cursor.",
    message: changesGone,
  },
  too_large: {
    name: "TooLarge",
    when: `${bodyTooLarge}.`,
    message: bodyTooLarge,
  },
  unsupported_media_type: {
    name: "UnsupportedMediaType",
    when: "The Content-Type is not JSON.",
    message: "Send the body as JSON, with Content-Type: application/json",
  },
  invalid: {
    name: "Invalid",
    when: "The request has invalid values. `errors` lists them.",
    message: "The request is not valid; see errors",
  },
  rate_limited: {
    name: "RateLimited",
    when: "The hourly limit or the burst limit is exceeded. Wait for Retry-After.",
    message: "Too many requests - Rate limit exceeded",
  },
  unavailable: {
    name: "Unavailable",
    when: "The database or the payment provider is temporarily unavailable. Wait for Retry-After.",
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
  ...(code === "gone" ? { next_cursor: "WyJjaGFuZ2VzIiw0MjExN10" } : {}),
  ...(code === "invalid" ? { errors: [{ path: "period_id", message: "Must be at least 1" }] } : {}),
  request_id: exampleRequestId,
});

const internalErrorResponse = (): ZodOpenApiResponseObject =>
  problemResponse("An error on our side. Include the request ID when you contact support.", {
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
