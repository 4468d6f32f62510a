/**
 * The type of a contract. A contract describes one endpoint: its URL, types, validation, access, errors, OpenAPI,
 * documentation and contract tests all come from it. Contracts are in `contracts/`, their implementation in `app/routes/api/`.
 */
import type { z } from "zod";
import type { RefusalCode } from "../domain/errors.ts";
import type { Deprecation } from "./deprecation.ts";

/** Which credential opens the endpoint; no other does. @spec Authentication */
export type Access = "public" | "bearer" | "key" | "bearer_or_key";

/** The credentials that each kind of access accepts. */
const acceptedSchemes = {
  public: [],
  bearer: ["bearer"],
  key: ["key"],
  bearer_or_key: ["bearer", "key"],
} as const satisfies Record<Access, readonly ("bearer" | "key")[]>;

export const accepts = (access: Access, scheme: string | undefined): boolean =>
  acceptedSchemes[access].some((accepted) => accepted === scheme);
export type Method = "GET" | "POST" | "PUT" | "DELETE";

export type Contract<
  A extends Access = Access,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> = {
  /** The OpenAPI operationId, in camel case. */
  id: string;
  tag:
    | "Authentication"
    | "API keys"
    | "Catalogue"
    | "Routes"
    | "Subscriptions"
    | "Watchlist"
    | "Usage"
    | "Webhooks"
    | "Documentation";
  method: Method;
  /** Below `/api`, with `{parameters}`, as in the specification. */
  path: `/${string}`;
  access: A;
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  body?: Body;
  /** The query parameter that names a route by its id, for the usage log. */
  routeIdParameter?: string;
  /** The success response. `format: "csv"` or `"events"` for the few that are not JSON. */
  answer: { status: 200 | 201; schema: Answer; format?: "json" | "csv" | "events"; description: string };
  /** By media type: the files that the endpoint streams if it is asked for them. They may cost several requests. */
  files?: Record<string, { description: string }>;
  /** In addition to those that follow from method, access, limits and input. */
  refusals?: RefusalCode[];
  /** Whether `Idempotency-Key` is honoured. */
  idempotent?: boolean;
  /** Whether the response has an ETag and `If-None-Match` can give 304. */
  conditional?: boolean;
  /** Set when the endpoint's end has been announced. The changelog needs an entry as well. */
  deprecated?: Deprecation;
  example?: { body?: unknown; answer?: unknown };
};

/** Keeps a contract's literal types. */
export const endpoint = <
  A extends Access,
  Answer extends z.ZodType,
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  contract: Contract<A, Params, Query, Body, Answer>,
): Contract<A, Params, Query, Body, Answer> => contract;

/** The codes with which an endpoint may refuse. Every one may answer 429, 500 and 503. @spec Errors */
export const refusalsOf = (contract: Contract): RefusalCode[] => {
  const codes = new Set<RefusalCode>([
    "rate_limited",
    "unavailable",
    "forbidden",
    "malformed",
    // Any endpoint may be asked to reject unknown query parameters.
    "invalid",
    ...(contract.refusals ?? []),
  ]);
  if (contract.access !== "public") codes.add("unauthenticated");
  if (contract.params) codes.add("not_found");
  if (contract.body) codes.add("unsupported_media_type");
  if (contract.method !== "GET") codes.add("too_large");
  if (contract.idempotent) codes.add("conflict");
  return [...codes];
};
