/**
 * The one wrapper around every endpoint: method, identity, rate limit, access, input, work, output, usage; in this
 * order. Its core works on plain values; Remix and node:http are two adapters of it (`adapters.server.ts`).
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
import { validate } from "../domain/input.ts";
import type { Verdict } from "../domain/rate-limit/limiter.ts";
import {
  addressSubjectOf,
  anonymousBudget,
  budgetOf,
  retryAfterSeconds,
  subjectOf,
} from "../domain/rate-limit/policy.ts";
import { recordUsage } from "../domain/usage/record.server.ts";
import { cameOverHttp } from "../platform/forwarded.ts";
import { foreignHost, isForeignHost } from "../platform/own-host.ts";
import { statusOf } from "../platform/refusal-status.ts";
import { type ApiAction, adapt } from "./adapters.server.ts";
import { answerHeaders } from "./answer-headers.ts";
import type { Access, Contract } from "./endpoint.ts";
import { type ApiCaller, identify } from "./identity.server.ts";
import { bodyLimitBytes, parseJson, queryOf } from "./input.ts";
import { httpProblem, internalError, type Problem, problemOf } from "./problem.ts";
import { type Versioned, versionedReply } from "./versioned.server.ts";

export type ApiRequest = {
  method: string;
  /** Below `/api`, percent-encoded as it came. */
  path: string;
  search: URLSearchParams;
  header: (name: string) => string | null;
  /** Null: longer than the limit. */
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

/** A contract and the work that fulfils it. */
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

/** The same for a contract that is `conditional`: the work is done for those who have not got this version. */
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

/** One path of the API with all its methods; without endpoints: the paths that do not exist. */
export const apiRoute = (...endpoints: Endpoint[]): ApiAction =>
  adapt((ctx, request) => handle(ctx, endpoints, request));

/** Any path of the API, for a request that the server refuses before it looks for an endpoint. */
export const refusingApiRoute = (refused: Problem): ApiAction =>
  adapt((ctx, request) => handle(ctx, [], request, refused));

const handle = async (
  ctx: Context,
  endpoints: Endpoint[],
  request: ApiRequest,
  refused: Problem | null = null,
): Promise<ApiResponse> => {
  const startedAt = ctx.clock.now();
  const requestId = randomUUID();
  const method = request.method === "HEAD" ? "GET" : request.method;
  const matched = endpoints.filter(({ contract }) => patternOf(contract.path).test(request.path));
  const endpoint = matched.find(({ contract }) => contract.method === method) ?? null;

  let caller: ApiCaller | null = null;
  let verdict: Verdict | null = null;
  let reply: ApiResponse;
  try {
    caller = await identify(ctx, request.header, endpoint?.contract.access ?? "bearer");
    verdict = await countRequest(ctx, caller, request.ipAddress, startedAt);
    refuseOverLimit(verdict, startedAt);
    if (refused) throw new Refused(refused);
    if (isForeignHost(request.header, ctx.settings)) throw new Refused(httpProblem(421, foreignHost));
    if (matched.length === 0) throw notFound("Path");
    if (!endpoint) throw methodNotAllowed(matched, request.method);
    reply = await answer(ctx, endpoint, request, caller);
  } catch (error) {
    reply = problemReply(ctx, error, requestId, matched);
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
      endpoint: matched[0]?.contract.path ?? "/{unknown}",
      status: response.status,
      durationMs: ctx.clock.now().getTime() - startedAt.getTime(),
      responseBytes: Buffer.byteLength(response.body),
      apiKeyId: caller.proof.scheme === "key" ? caller.proof.keyId : null,
      apiKeyName: caller.proof.scheme === "key" ? caller.proof.keyName : null,
      routeId: endpoint ? routeIdOf(request) : null,
      requestId,
    });
    return response;
  } catch (error) {
    const problem = problemReply(ctx, error, requestId, matched);
    return { status: problem.status, headers: { ...response.headers, ...problem.headers }, body: problem.body };
  }
};

const countRequest = (ctx: Context, caller: ApiCaller | null, ipAddress: string, now: Date): Promise<Verdict> =>
  caller
    ? ctx.rateLimiter.take(subjectOf(caller.account), budgetOf(caller.account), now)
    : ctx.rateLimiter.take(addressSubjectOf(ipAddress), anonymousBudget, now);

const refuseOverLimit = (verdict: Verdict, now: Date): void => {
  if (verdict.refusedBy === null) return;
  throw new Refusal("rate_limited", "Too many requests - Rate limit exceeded", {
    retryAfterSeconds: retryAfterSeconds(verdict, now),
  });
};

/** Access, input, work, output. */
const answer = async (ctx: Context, { contract, work }: Endpoint, request: ApiRequest, caller: ApiCaller | null) => {
  if (ctx.settings.requireHttps && cameOverHttp(request.header, ctx.settings.trustedProxies)) throw forbidden();
  if (contract.access !== "public" && caller?.proof.scheme !== contract.access) throw unauthenticated();
  const params = validate(contract.params, paramsOf(contract.path, request.path));
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
  if (!bytes) throw new Refusal("too_large", `The body is larger than ${bodyLimitBytes / 1024} KiB`);
  return contract.body ? validate(contract.body, parseJson(request.header("content-type"), bytes)) : undefined;
};

const success = ({ answer: { format, status } }: Contract, result: unknown): ApiResponse =>
  format === "csv"
    ? { status, headers: { "Content-Type": "text/csv; charset=utf-8; header=present" }, body: String(result) }
    : { status, headers: {}, body: JSON.stringify(result) };

const methodNotAllowed = (matched: Endpoint[], method: string) =>
  new Refusal("method_not_allowed", `${method} is not allowed here; use ${allowOf(matched)}`);

const allowOf = (matched: Endpoint[]): string =>
  matched.flatMap(({ contract }) => (contract.method === "GET" ? ["GET", "HEAD"] : [contract.method])).join(", ");

/** @throws ClientGone for the adapter: there is nobody to answer, and nothing to log or to count */
const problemReply = (ctx: Context, error: unknown, requestId: string, matched: Endpoint[]): ApiResponse => {
  const { kind, refusal } = failureOf(error);
  if (kind === "client_gone") throw error;
  const problem = error instanceof Refused ? error.problem : refusal ? problemOf(refusal) : internalError;
  if (problem.status >= 500) ctx.log.error("An API request failed", { request_id: requestId, failure: kind }, error);
  return {
    status: problem.status,
    headers: {
      ...problem.headers,
      ...(problem.status === statusOf.method_not_allowed ? { Allow: allowOf(matched) } : {}),
    },
    body: JSON.stringify({ ...problem.body, request_id: requestId }),
  };
};

/** A problem of HTTP rather than of the domain, which has no word for it. */
class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.body.message);
    this.problem = problem;
  }
}

const patterns = new Map<string, RegExp>();

const patternOf = (template: string): RegExp => {
  const pattern = patterns.get(template) ?? new RegExp(`^${template.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  patterns.set(template, pattern);
  return pattern;
};

/** @throws malformed for a broken percent-encoding */
const paramsOf = (template: string, path: string): Record<string, string> => {
  const groups = Object.entries(patternOf(template).exec(path)?.groups ?? {});
  try {
    return Object.fromEntries(groups.map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    throw new Refusal("malformed", "The path is not validly percent-encoded");
  }
};

/** The route that a request asked about, for the usage log. */
const routeIdOf = (request: ApiRequest): number | null => {
  const id = Number(request.search.get("id"));
  return request.path.includes("routes-data") && Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : null;
};
