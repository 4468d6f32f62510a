/**
 * The wrapper around every endpoint. In this order: method, identity, rate limit, access, input, work, output, usage. Its
 * core works on plain values; `adapters.server.ts` connects it to Remix and node:http.
 *
 * @spec Authentication, Limits, Errors
 */

import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Caller, KeyProof, SessionProof } from "../domain/accounts/caller.ts";
import type { Origin } from "../domain/accounts/lucia.server.ts";
import type { Context } from "../domain/context.ts";
import { forbidden, notFound, Refusal, unauthenticated } from "../domain/errors.ts";
import { failureOf } from "../domain/failure.ts";
import { withIdempotencyKey } from "../domain/idempotency/idempotency-key.server.ts";
import { largestId, validate } from "../domain/input.ts";
import { anonymousLimits } from "../domain/plans/plans.ts";
import type { Verdict } from "../domain/rate-limit/limiter.ts";
import { addressSubjectOf, budgetOf, retryAfterSeconds, subjectOf } from "../domain/rate-limit/policy.ts";
import { recordUsage } from "../domain/usage/record.server.ts";
import { cameOverHttp } from "../platform/forwarded.ts";
import { foreignHost, isForeignHost } from "../platform/own-host.ts";
import { statusOf } from "../platform/refusal-status.ts";
import { adapt, type Core } from "./adapters.server.ts";
import { answerHeaders } from "./answer-headers.ts";
import type { Access, Contract } from "./endpoint.ts";
import { type ApiCaller, identify } from "./identity.server.ts";
import { bodyLimitBytes, bodyTooLarge, parseJson, queryOf } from "./input.ts";
import { type PathParams, pathMatcher } from "./path-template.ts";
import { httpProblem, internalError, type Problem, problemOf } from "./problem.ts";
import { type Versioned, versionedReply } from "./versioned.server.ts";

export type ApiRequest = {
  method: string;
  /** Below `/api`, still percent-encoded. */
  path: string;
  search: URLSearchParams;
  header: (name: string) => string | null;
  /** Null if the body is longer than the limit. */
  readBody: (limitBytes: number) => Promise<Uint8Array | null>;
  ipAddress: string;
};

export type ApiResponse = { status: number; headers: Record<string, string>; body: string };

type CallerFor<A extends Access> = A extends "key"
  ? Caller<KeyProof>
  : A extends "bearer"
    ? Caller<SessionProof>
    : Caller | null;

type Work<A extends Access, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, Result> = (input: {
  ctx: Context;
  caller: CallerFor<A>;
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  origin: Origin;
}) => Promise<Result>;

type AnyWork = Work<Access, z.ZodType, z.ZodType, z.ZodType, unknown>;
export type Endpoint = { contract: Contract; work: AnyWork };

/** An endpoint: a contract and the work that implements it. */
export const serve = <
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  contract: Contract<A, P, Q, B, R>,
  work: Work<A, P, Q, B, z.input<R>>,
): Endpoint => ({ contract, work }) as unknown as Endpoint;

/** The same for a `conditional` contract: the work is skipped if the client has this version. */
export const serveVersioned = <
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  contract: Contract<A, P, Q, B, R>,
  work: Work<A, P, Q, B, Versioned<z.input<R>>>,
): Endpoint => ({ contract, work }) as unknown as Endpoint;

/** A Remix resource route, with what the router for node:http needs. */
export type ApiAction = ReturnType<typeof adapt> & {
  /** The contracts' path; null for every path that does not exist. */
  path: string | null;
  match: (path: string) => PathParams | null;
  /** The core for a path that has been matched. */
  matched: (params: PathParams | null) => Core;
};

/** One path of the API with all its methods. Without endpoints: every path that does not exist. */
export const apiRoute = (...endpoints: Endpoint[]): ApiAction => {
  const path = endpoints[0]?.contract.path ?? null;
  if (endpoints.some(({ contract }) => contract.path !== path)) throw new Error(`${path} is served with another path`);
  const match: ApiAction["match"] = path === null ? () => null : pathMatcher(path);
  const matched: ApiAction["matched"] = (params) => (ctx, request) =>
    handle(ctx, params && { endpoints, params }, request);
  const matchAndHandle: Core = (ctx, request) => matched(match(request.path))(ctx, request);
  return Object.assign(adapt(matchAndHandle), { path, match, matched });
};

/** For requests that the server rejects before routing. */
export const refuseWith =
  (refused: Problem): Core =>
  (ctx, request) =>
    handle(ctx, null, request, refused);

type Matched = { endpoints: Endpoint[]; params: PathParams };

const handle = async (
  ctx: Context,
  matched: Matched | null,
  request: ApiRequest,
  refused: Problem | null = null,
): Promise<ApiResponse> => {
  const startedAt = ctx.clock.now();
  const requestId = randomUUID();
  const method = request.method === "HEAD" ? "GET" : request.method;
  const endpoints = matched?.endpoints ?? [];
  const endpoint = endpoints.find(({ contract }) => contract.method === method) ?? null;

  let caller: ApiCaller | null = null;
  let verdict: Verdict | null = null;
  let reply: ApiResponse;
  try {
    caller = await identify(ctx, request.header, endpoint?.contract.access ?? "bearer");
    verdict = await countRequest(ctx, caller, request.ipAddress, startedAt);
    refuseOverLimit(verdict, startedAt);
    if (refused) throw new Refused(refused);
    if (isForeignHost(request.header, ctx.settings)) throw new Refused(httpProblem(421, foreignHost));
    if (!matched) throw notFound("Path");
    if (!endpoint) throw methodNotAllowed(endpoints, request.method);
    reply = await answer(ctx, endpoint, request, matched.params, caller);
  } catch (error) {
    reply = problemReply(ctx, error, requestId, endpoints);
  }
  verdict ??= await countRequest(ctx, null, request.ipAddress, startedAt);
  const response = {
    status: reply.status,
    headers: { ...answerHeaders(requestId, verdict, startedAt), ...reply.headers },
    body: reply.body,
  };
  if (!caller) return response;
  try {
    await recordUsage(ctx, {
      accountId: caller.account.id,
      occurredAt: startedAt,
      method: request.method,
      endpoint: endpoints[0]?.contract.path ?? "/{unknown}",
      status: response.status,
      durationMs: ctx.clock.now().getTime() - startedAt.getTime(),
      responseBytes: Buffer.byteLength(response.body),
      apiKeyId: caller.proof.scheme === "key" ? caller.proof.keyId : null,
      apiKeyName: caller.proof.scheme === "key" ? caller.proof.keyName : null,
      routeId: endpoint ? routeIdOf(endpoint.contract, request) : null,
      requestId,
    });
    return response;
  } catch (error) {
    const problem = problemReply(ctx, error, requestId, endpoints);
    return { status: problem.status, headers: { ...response.headers, ...problem.headers }, body: problem.body };
  }
};

const countRequest = (ctx: Context, caller: ApiCaller | null, ipAddress: string, now: Date): Promise<Verdict> =>
  caller
    ? ctx.rateLimiter.take(subjectOf(caller.account), budgetOf(caller.account), now)
    : ctx.rateLimiter.take(addressSubjectOf(ipAddress), anonymousLimits, now);

const refuseOverLimit = (verdict: Verdict, now: Date): void => {
  if (verdict.refusedBy === null) return;
  throw new Refusal("rate_limited", "Too many requests - Rate limit exceeded", {
    retryAfterSeconds: retryAfterSeconds(verdict, now),
  });
};

/** Access, input, work, output. */
const answer = async (
  ctx: Context,
  { contract, work }: Endpoint,
  request: ApiRequest,
  pathParams: PathParams,
  caller: ApiCaller | null,
) => {
  if (ctx.settings.requireHttps && cameOverHttp(request.header, ctx.settings.trustedProxies)) throw forbidden();
  if (contract.access !== "public" && caller?.proof.scheme !== contract.access) throw unauthenticated();
  const params = validate(contract.params, decoded(pathParams));
  const query = validate(contract.query, queryOf(request.search));
  const body = contract.method === "GET" ? undefined : await readBody(contract, request);
  const origin = { ipAddress: request.ipAddress, userAgent: request.header("user-agent") };
  const fulfil = async () => {
    const result = await work({ ctx, caller, params, query, body, origin });
    return contract.conditional
      ? versionedReply(ctx, contract, result as Versioned<unknown>, request.header("if-none-match"))
      : success(contract, contract.answer.schema.parse(result));
  };
  const key = contract.idempotent ? request.header("idempotency-key") : null;
  if (key === null) return fulfil();
  const scope = caller ? `account:${caller.account.id}` : addressSubjectOf(request.ipAddress);
  const keyed = { scope, key, endpoint: contract.id, request: `${request.path} ${JSON.stringify(body ?? null)}` };
  return withIdempotencyKey(ctx, keyed, fulfil);
};

const readBody = async (contract: Contract, request: ApiRequest) => {
  const bytes = await request.readBody(bodyLimitBytes);
  if (!bytes) throw new Refusal("too_large", bodyTooLarge);
  return contract.body ? validate(contract.body, parseJson(request.header("content-type"), bytes)) : undefined;
};

const success = ({ answer: { format, status } }: Contract, result: unknown): ApiResponse =>
  format === "csv"
    ? { status, headers: { "Content-Type": "text/csv; charset=utf-8; header=present" }, body: String(result) }
    : { status, headers: {}, body: JSON.stringify(result) };

const methodNotAllowed = (endpoints: Endpoint[], method: string) =>
  new Refusal("method_not_allowed", `${method} is not allowed here; use ${allowOf(endpoints)}`);

const allowOf = (endpoints: Endpoint[]): string =>
  endpoints.flatMap(({ contract }) => (contract.method === "GET" ? ["GET", "HEAD"] : [contract.method])).join(", ");

/** @throws ClientGone for the adapter: a closed connection is neither answered nor logged nor counted */
const problemReply = (ctx: Context, error: unknown, requestId: string, endpoints: Endpoint[]): ApiResponse => {
  const { kind, refusal } = failureOf(error);
  if (kind === "client_gone") throw error;
  const problem = error instanceof Refused ? error.problem : refusal ? problemOf(refusal) : internalError;
  if (problem.status >= 500) ctx.log.error("An API request failed", { request_id: requestId, failure: kind }, error);
  return {
    status: problem.status,
    headers: {
      ...problem.headers,
      ...(problem.status === statusOf.method_not_allowed ? { Allow: allowOf(endpoints) } : {}),
    },
    body: JSON.stringify({ ...problem.body, request_id: requestId }),
  };
};

/** An HTTP error that is not a refusal of the domain. */
class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.body.message);
    this.problem = problem;
  }
}

const decoded = (params: PathParams): PathParams => {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    throw new Refusal("malformed", "The path is not validly percent-encoded");
  }
};

/** The route that a request is about, for the usage log. */
const routeIdOf = ({ routeIdParameter }: Contract, { search }: ApiRequest): number | null => {
  if (routeIdParameter === undefined) return null;
  const id = Number(search.get(routeIdParameter));
  return Number.isInteger(id) && id > 0 && id <= largestId ? id : null;
};
