/**
 * The wrapper around every endpoint. In this order: method, identity, rate limit, access, input, work, output, usage. Its
 * core works on plain values; `adapters.server.ts` connects it to Remix and node:http.
 *
 * @spec Authentication, Limits, Errors
 */

import type { Context } from "../domain/context.ts";
import { forbidden, notFound, Refusal, unauthenticated } from "../domain/errors.ts";
import { failureOf } from "../domain/failure.ts";
import { withIdempotencyKey } from "../domain/idempotency/idempotency-key.server.ts";
import { validate } from "../domain/input.ts";
import { overLimit } from "../domain/rate-limit/charge.ts";
import { addressSubjectOf } from "../domain/rate-limit/policy.ts";
import { completeUsage, recordUsage } from "../domain/usage/record.server.ts";
import { newRequestId } from "../domain/usage/request-id.ts";
import type { UsageRecord } from "../domain/usage/usage-record.ts";
import { asLongParts, type Parts } from "../platform/byte-stream.server.ts";
import { cameOverHttp } from "../platform/forwarded.ts";
import { isPromise, type MaybePromise, whenKnown } from "../platform/maybe-promise.ts";
import { foreignHost, isForeignHost } from "../platform/own-host.ts";
import { statusOf } from "../platform/refusal-status.ts";
import { logSecurityEvent } from "../platform/security-events.ts";
import { setRequestId } from "../platform/time-budget.server.ts";
import { adapt, type Core } from "./adapters.server.ts";
import { answerHeaders } from "./answer-headers.ts";
import {
  type Counted,
  type CountedFor,
  chargeCaller,
  countRequest,
  observeOverLimit,
  recountRequest,
  uncounted,
} from "./count-request.server.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { accepts, type Contract } from "./endpoint.ts";
import type { EventStream } from "./event-stream.server.ts";
import { type ApiCaller, identify, refusedAddressOf } from "./identity.server.ts";
import { bodyLimitBytes, bodyTooLarge, parseJson } from "./input.ts";
import { type PathParams, pathMatcher } from "./path-template.ts";
import { httpProblem, internalError, type Problem, problemOf } from "./problem.ts";
import { readQuery } from "./query.ts";
import type { ApiRequest, ApiResponse, Endpoint, FileAnswer, LoggedResponse } from "./serve.server.ts";
import { handlingHeaders, handlingOf, type ParameterHandling, refuseUnknown } from "./unknown-parameters.ts";
import { forgetAnswer, type Versioned, versionedReply } from "./versioned.server.ts";

/** A Remix resource route, with what the router for node:http needs. */
export type ApiAction = ReturnType<typeof adapt> & {
  endpoints: Endpoint[];
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
  return Object.assign(adapt(matchAndHandle), { endpoints, path, match, matched });
};

/** For requests that the server rejects before routing. */
export const refuseWith =
  (refused: Problem): Core =>
  (ctx, request) =>
    handle(ctx, null, request, refused);

type Matched = { endpoints: Endpoint[]; params: PathParams };

/** What is kept of a request that is handled again, because what it had recalled of its key was no longer true. */
type Again = CountedFor & { startedAt: Date; requestId: string };

const handle = async (
  ctx: Context,
  matched: Matched | null,
  request: ApiRequest,
  refused: Problem | null = null,
  again: Again | null = null,
): Promise<ApiResponse> => {
  const startedAt = again?.startedAt ?? ctx.clock.now();
  const requestId = again?.requestId ?? newRequestId(startedAt);
  setRequestId(requestId);
  const method = request.method === "HEAD" ? "GET" : request.method;
  const endpoints = matched?.endpoints ?? [];
  const endpoint = endpoints.find(({ contract }) => contract.method === method) ?? null;
  const query = endpoint && readQuery(endpoint.contract, request.search);
  const routeId = query?.routeId ?? null;
  const handling = query && handlingOf(query.unknown, request.header("prefer"));
  const countFor = (accountable: ApiCaller | null) =>
    again
      ? recountRequest(ctx, again, accountable, request.ipAddress, startedAt)
      : countRequest(ctx, accountable, request.ipAddress, startedAt);

  let caller: ApiCaller | null = null;
  let counted: Counted | null = null;
  let requestCost = 1;
  let reply: LoggedResponse;
  /** HEAD tells the cost of an answer without paying it. */
  const charge = async (cost: number) => {
    if (!caller || cost === 1 || request.method === "HEAD") return;
    counted = await chargeCaller(ctx, caller, startedAt, cost - 1);
    requestCost = cost;
  };
  try {
    const access = endpoint?.contract.access ?? "bearer";
    const mayRecall = again === null && endpoint !== null && mayBeRepeated(endpoint.contract);
    const identifying = identify(ctx, request.header, access, request.ipAddress, routeId, mayRecall);
    caller = isPromise(identifying) ? await identifying : identifying;
    const counting = countFor(accountableOf(caller));
    counted = isPromise(counting) ? await counting : counting;
    if (counted.verdict.refusedBy !== null) throw overLimit(counted.verdict, startedAt);
    if (refused) throw new Refused(refused);
    if (isForeignHost(request.header, ctx.settings)) throw new Refused(httpProblem(421, foreignHost));
    if (!matched) throw notFound("Path");
    if (!endpoint || !handling) throw methodNotAllowed(endpoints, request.method);
    const answering = answer(ctx, endpoint, request, matched.params, handling, caller, charge);
    reply = isPromise(answering) ? await answering : answering;
  } catch (error) {
    reply = problemReply(ctx, error, requestId, endpoints);
  }
  const isOverLimit = counted !== null && counted.verdict.refusedBy !== null;
  counted ??= await countFor(null);
  const response: ApiResponse = {
    status: reply.status,
    headers: Object.assign(
      answerHeaders(requestId, counted.verdict, startedAt),
      handling && handlingHeaders(handling),
      deprecationHeaders(endpoint?.contract.deprecated, ctx.settings.appUrl),
      reply.headers,
    ),
    body: reply.body,
  };
  if (reply.bytes) response.bytes = reply.bytes;
  if (reply.events) response.events = reply.events;
  const observe = (known: Counted) => {
    if (isOverLimit) observeOverLimit(known, accountableOf(caller));
    logRefusedAccess(request, endpoints, caller, requestId, reply.status);
  };
  if (!caller?.recalled) observe(counted);
  if (!caller) return reply.stream ? { ...response, stream: asLongParts(reply.stream) } : response;
  const record: UsageRecord = {
    accountId: caller.account.id,
    occurredAt: startedAt,
    method: request.method,
    endpoint: endpoints[0]?.contract.path ?? "/{unknown}",
    status: response.status,
    durationMs: ctx.clock.now().getTime() - startedAt.getTime(),
    responseBytes: Buffer.byteLength(reply.bytes ?? reply.body),
    requestCost,
    apiKeyId: caller.proof.scheme === "key" ? caller.proof.keyId : null,
    apiKeyName: caller.proof.scheme === "key" ? caller.proof.keyName : null,
    routeId,
    requestId,
  };
  if (reply.logged) Object.assign(record, reply.logged);
  try {
    if (!(await recordUsage(ctx, record, counted.quota, caller.recalled))) {
      forgetAnswer(ctx, reply);
      return handle(ctx, matched, request, refused, { startedAt, requestId, caller: accountableOf(caller), counted });
    }
    if (caller.recalled) observe(counted);
    if (reply.events) return { ...response, events: measuredEvents(ctx, reply.events, record) };
    return reply.stream ? { ...response, stream: asLongParts(measured(ctx, reply.stream, record)) } : response;
  } catch (error) {
    await reply.events?.close();
    const problem = problemReply(ctx, error, requestId, endpoints);
    // Nobody has checked a recalled key: the answer says nothing about its account.
    const headers = caller.recalled ? answerHeaders(requestId, uncounted(startedAt), startedAt) : response.headers;
    return { status: problem.status, headers: { ...headers, ...problem.headers }, body: problem.body };
  }
};

/**
 * Whether a request can be handled again if what it has recalled is no longer true: its work only reads, and its answer can be
 * thrown away.
 */
const mayBeRepeated = ({ method, access, conditional, files }: Contract): boolean =>
  method === "GET" && access === "key" && conditional === true && !files;

/** Whose limits a request counts against. Whoever has found a key cannot use up its account's limit from elsewhere. */
const accountableOf = (caller: ApiCaller | null): ApiCaller | null =>
  refusedAddressOf(caller) === null ? caller : null;

const logRefusedAccess = (
  { header }: ApiRequest,
  endpoints: Endpoint[],
  caller: ApiCaller | null,
  requestId: string,
  status: number,
): void => {
  if (status !== statusOf.unauthenticated && status !== statusOf.forbidden) return;
  const facts = { request_id: requestId, endpoint: endpoints[0]?.contract.path ?? "/{unknown}" };
  const hasCredentials = header("authorization") !== null || header("x-api-key") !== null;
  if (status === statusOf.forbidden) logSecurityEvent("access.refused", caller?.account.id ?? null, facts);
  else if (hasCredentials) logSecurityEvent("credentials.refused", caller?.account.id ?? null, facts);
};

/** Completes the usage record once the response has ended, or the client has left. */
async function* measured(ctx: Context, parts: Parts, record: UsageRecord): Parts {
  let responseBytes = 0;
  try {
    for await (const part of parts) {
      responseBytes += Buffer.byteLength(part);
      yield part;
    }
  } catch (error) {
    ctx.log.error("A streamed response broke off", { request_id: record.requestId }, error);
    throw error;
  } finally {
    await complete(ctx, record, responseBytes);
  }
}

const complete = (ctx: Context, record: UsageRecord, responseBytes: number): Promise<void> =>
  completeUsage(ctx, record, { durationMs: ctx.clock.now().getTime() - record.occurredAt.getTime(), responseBytes });

/** The same for a stream of events. */
const measuredEvents = (ctx: Context, events: EventStream, record: UsageRecord): EventStream => {
  let responseBytes = 0;
  return {
    async *texts(signal) {
      for await (const text of events.texts(signal)) {
        responseBytes += Buffer.byteLength(text);
        yield text;
      }
    },
    close: async () => {
      await events.close();
      await complete(ctx, record, responseBytes);
    },
  };
};

/** Access, input, work, output. */
const answer = (
  ctx: Context,
  endpoint: Endpoint,
  request: ApiRequest,
  pathParams: PathParams,
  handling: ParameterHandling,
  caller: ApiCaller | null,
  charge: (cost: number) => Promise<void>,
): MaybePromise<LoggedResponse> => {
  const { contract, work } = endpoint;
  if (ctx.settings.requireHttps && cameOverHttp(request.header, ctx.settings.trustedProxies)) throw forbidden();
  if (contract.access !== "public" && !accepts(contract.access, caller?.proof.scheme)) throw unauthenticated();
  refuseForeignAddress(caller);
  const params = validate(contract.params, decoded(pathParams));
  refuseUnknown(handling);
  const query = readQuery(contract, request.search).parsed();
  const origin = { ipAddress: request.ipAddress, userAgent: request.header("user-agent") };
  const identifyAgain = async () => {
    const again = await identify(ctx, request.header, contract.access, request.ipAddress);
    return accepts(contract.access, again?.proof.scheme) && refusedAddressOf(again) === null ? again : null;
  };
  const lastEventId = request.header("last-event-id");
  const { header } = request;
  const fulfil = (body: unknown) =>
    whenKnown(
      work({ ctx, caller, params, query, body, origin, header, identifyAgain, lastEventId }),
      (result): MaybePromise<LoggedResponse> => replyWith(ctx, endpoint, request, result, charge),
    );
  if (contract.method === "GET") return fulfil(undefined);
  return readBody(contract, request).then((body) => {
    const key = contract.idempotent ? header("idempotency-key") : null;
    if (key === null) return fulfil(body);
    const scope = caller ? `account:${caller.account.id}` : addressSubjectOf(request.ipAddress);
    const keyed = { scope, key, endpoint: contract.id, request: `${request.path} ${JSON.stringify(body ?? null)}` };
    return withIdempotencyKey(ctx, keyed, async () => fulfil(body));
  });
};

/** What the work returned, as a response. */
const replyWith = (
  ctx: Context,
  { contract, respondsItself, isWritten }: Endpoint,
  request: ApiRequest,
  result: unknown,
  charge: (cost: number) => Promise<void>,
): MaybePromise<LoggedResponse> => {
  const { status, format, schema } = contract.answer;
  if (respondsItself) return result as LoggedResponse;
  if (isWritten) return { status, headers: {}, body: "", bytes: result as Buffer<ArrayBuffer> };
  if (format === "events") return eventsReply(contract, result as EventStream);
  if (contract.files) return chargedReply(contract, result as { document: unknown } | { file: FileAnswer }, charge);
  return contract.conditional
    ? versionedReply(ctx, contract, result as Versioned<unknown>, request.header("if-none-match"))
    : success(contract, schema.parse(result));
};

/** A document or a file, which costs more. */
const chargedReply = async (
  contract: Contract,
  answered: { document: unknown } | { file: FileAnswer },
  charge: (cost: number) => Promise<void>,
): Promise<LoggedResponse> => {
  const reply =
    "file" in answered
      ? fileReply(contract, answered.file)
      : success(contract, contract.answer.schema.parse(answered.document));
  const cost = "file" in answered ? answered.file.requestCost : 1;
  await charge(cost);
  return { ...reply, headers: { ...reply.headers, "X-Request-Cost": String(cost) } };
};

/** @throws forbidden */
const refuseForeignAddress = (caller: ApiCaller | null): void => {
  const address = refusedAddressOf(caller);
  if (address === null) return;
  const message = `This key does not accept requests from ${address}. Add the address to the key's allowed addresses`;
  throw new Refusal("forbidden", forbidden().message, { fields: [{ path: "X-API-Key", message }] });
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

/** Proxies must neither keep, compress nor buffer the events. */
const eventsReply = ({ answer }: Contract, events: EventStream): ApiResponse => ({
  status: answer.status,
  headers: {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
  },
  body: "",
  events,
});

const fileReply = ({ answer: { status } }: Contract, { contentType, headers, parts }: FileAnswer): ApiResponse => ({
  status,
  headers: { "Content-Type": contentType, ...headers },
  body: "",
  stream: lazily(parts),
});

/** Makes nothing for a response whose body is not read, as to HEAD. */
async function* lazily(parts: () => Parts): Parts {
  yield* parts();
}

const methodNotAllowed = (endpoints: Endpoint[], method: string) =>
  new Refusal("method_not_allowed", `${method} is not allowed here; use ${allowOf(endpoints)}`);

const allowOf = (endpoints: Endpoint[]): string =>
  endpoints.flatMap(({ contract }) => (contract.method === "GET" ? ["GET", "HEAD"] : [contract.method])).join(", ");

/** @throws ClientGone if the client has closed the connection: no response, no log, no count */
const problemReply = (ctx: Context, error: unknown, requestId: string, endpoints: Endpoint[]): ApiResponse => {
  const { kind, refusal } = failureOf(error);
  if (kind === "client_gone") throw error;
  const problem =
    error instanceof Refused ? error.problem : refusal ? problemOf(refusal, ctx.settings.appUrl) : internalError;
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
