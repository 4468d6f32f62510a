/** Joins a contract with the work that implements it. `api-route.server.ts` runs the result for each request. */
import type { z } from "zod";
import type { Caller, SessionProof } from "../domain/accounts/caller.ts";
import type { Origin } from "../domain/accounts/lucia.server.ts";
import type { KeyCaller } from "../domain/api-keys/authenticate.server.ts";
import type { Context } from "../domain/context.ts";
import { validate } from "../domain/input.ts";
import type { UsageRecord } from "../domain/usage/usage-record.ts";
import type { Parts } from "../platform/byte-stream.server.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Access, Contract } from "./endpoint.ts";
import type { EventStream } from "./event-stream.server.ts";
import { queryOf } from "./input.ts";
import type { Versioned } from "./versioned.server.ts";

export type ApiRequest = {
  method: string;
  /** Below `/api`, still percent-encoded. */
  path: string;
  /** Equal requests may share it: nobody may change it. */
  search: URLSearchParams;
  header: (name: string) => string | null;
  /** Null if the body is longer than the limit. */
  readBody: (limitBytes: number) => Promise<Uint8Array | null>;
  ipAddress: string;
};

export type ApiResponse = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** In place of the body: one that is sent again and again, encoded once. */
  bytes?: Buffer<ArrayBuffer>;
  /** Sent instead of the body. */
  events?: EventStream;
  /** In place of the body: a response that is written while it is read. */
  stream?: Parts;
};

/** The answer of an endpoint with `files`: a file that is written while it is read. */
export type FileAnswer = {
  contentType: string;
  headers: Record<string, string>;
  /** How many requests it counts as. */
  requestCost: number;
  /** Called once the cost is charged. */
  parts: () => Parts;
};

/** A response, and what the usage log says instead of the path, the status and the query. */
export type LoggedResponse = ApiResponse & {
  logged?: Partial<Pick<UsageRecord, "endpoint" | "status" | "routeId">>;
};

type CallerFor<A extends Access> = A extends "key"
  ? KeyCaller
  : A extends "bearer"
    ? Caller<SessionProof>
    : A extends "bearer_or_key"
      ? Caller
      : Caller | null;

type Work<A extends Access, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, Result> = (input: {
  ctx: Context;
  caller: CallerFor<A>;
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  origin: Origin;
  header: ApiRequest["header"];
  /** Checks the request's credentials again, for work that continues after the response has begun. */
  identifyAgain: () => Promise<CallerFor<A> | null>;
  /** Of a client that connects to a stream again. */
  lastEventId: string | null;
}) => MaybePromise<Result>;

type AnyWork = Work<Access, z.ZodType, z.ZodType, z.ZodType, unknown>;
export type Endpoint = {
  contract: Contract;
  work: AnyWork;
  /** Whether the work returns a LoggedResponse, not an answer of the contract. */
  respondsItself?: true;
  /** Whether the work returns the answer as JSON text. */
  isWritten?: true;
};

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

/** The same with the answer as JSON text in UTF-8, for answers whose parts are kept: see `kept-json.ts`. */
export const serveWritten = <
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  contract: Contract<A, P, Q, B, R>,
  work: Work<A, P, Q, B, Buffer<ArrayBuffer>>,
): Endpoint => ({ contract, work, isWritten: true }) as unknown as Endpoint;

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

/** The same for another protocol inside POST: the work makes the whole response. */
export const serveProtocol = <A extends Access, B extends z.ZodType>(
  contract: Contract<A, z.ZodUndefined, z.ZodUndefined, B>,
  work: Work<A, z.ZodUndefined, z.ZodUndefined, B, LoggedResponse>,
): Endpoint => ({ contract, work, respondsItself: true }) as unknown as Endpoint;

/**
 * Runs an endpoint without HTTP: input, work, output. The caller has been authorized.
 *
 * @param input as a client sends it, before validation
 * @returns the answer, parsed by the contract
 * @throws Refusal
 */
export const perform = async (
  { contract, work, isWritten }: Endpoint,
  request: Omit<Parameters<AnyWork>[0], "params" | "query" | "body">,
  input: { search: URLSearchParams; body: unknown },
): Promise<unknown> => {
  const query = validate(contract.query, queryOf(input.search));
  const body = validate(contract.body, input.body);
  const result = await work({ ...request, params: undefined, query, body });
  if (isWritten) return JSON.parse(String(result));
  return contract.answer.schema.parse(contract.conditional ? await (result as Versioned<unknown>).answer() : result);
};

/**
 * The same for a contract with `format: "events"`. The response begins when the work has returned, and the usage log counts it
 * once, without the events.
 */
export const serveEvents = <A extends Access, P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  contract: Contract<A, P, Q, B>,
  work: Work<A, P, Q, B, EventStream>,
): Endpoint => ({ contract, work }) as unknown as Endpoint;

/** The same for a contract with `files`: the work answers with a JSON document or with one of them. */
export const serveFiles = <
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  contract: Contract<A, P, Q, B, R>,
  work: Work<A, P, Q, B, { document: z.input<R> } | { file: FileAnswer }>,
): Endpoint => ({ contract, work }) as unknown as Endpoint;
