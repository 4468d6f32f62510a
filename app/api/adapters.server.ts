/**
 * Two adapters for every endpoint: Remix's loader and action, so that each is an ordinary resource route, and node:http,
 * which our server uses because it is faster without a web Request (see docs/decisions/0004-two-adapters.md).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { getContext, stoppedBySignal } from "../context.server.ts";
import type { Context } from "../domain/context.ts";
import { failureOf } from "../domain/failure.ts";
import { byteStream, drainedOf, type Reader } from "../platform/byte-stream.server.ts";
import { clientAddress } from "../platform/forwarded.ts";
import { isPromise } from "../platform/maybe-promise.ts";
import { statusOf } from "../platform/refusal-status.ts";
import { remember } from "../platform/remember.ts";
import { bodyUpTo, readUpTo } from "../platform/request-body.server.ts";
import { headerOf } from "../platform/request-gate.ts";
import { securityHeaders, withSecurityHeaders } from "../platform/response-headers.ts";
import { crashAnswer } from "./crash.server.ts";
import { type EventStream, eventBody, sendEvents } from "./event-stream.server.ts";
import type { ApiRequest, ApiResponse } from "./serve.server.ts";

/** @throws ClientGone */
export type Core = (ctx: Context, request: ApiRequest) => Promise<ApiResponse>;

type Adapted = ((args: LoaderFunctionArgs) => Promise<Response>) & {
  node: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  core: Core;
};

export const adapt = (core: Core): Adapted =>
  Object.assign((args: LoaderFunctionArgs) => throughRemix(core, args), {
    node: (req: IncomingMessage, res: ServerResponse) => answerNode(() => core, req, res),
    core,
  });

const below = (pathname: string) => pathname.replace(/^\/api(?=\/|$)/, "");

const throughRemix = async (core: Core, { request, context }: LoaderFunctionArgs): Promise<Response> => {
  const { remoteAddress } = context;
  const socketAddress = typeof remoteAddress === "string" ? remoteAddress : undefined;
  try {
    const ctx = await getContext();
    const url = new URL(request.url);
    const header = (name: string) => request.headers.get(name);
    const answer = await core(ctx, {
      method: request.method,
      path: below(url.pathname),
      search: url.searchParams,
      header,
      readBody: (limit) => bodyUpTo(limit, request),
      ipAddress: clientAddress(socketAddress, header("x-forwarded-for"), ctx.settings.trustedProxies),
    });
    if (answer.events) return await eventResponse(answer, answer.events, request);
    return responseOf(answer, request, drainedOf(context));
  } catch (error) {
    // Nobody reads this response, but Remix requires one.
    if (isClientGone(error)) return new Response(null, { status: statusOf.malformed });
    return responseOf(crashAnswer(error), request);
  }
};

const isClientGone = (error: unknown): boolean => failureOf(error).kind === "client_gone";

const responseOf = (
  { status, headers, body, bytes, stream }: ApiResponse,
  { method, signal }: Request,
  drained?: Reader["drained"],
): Response => {
  const content = stream ? () => byteStream(stream, { signal, drained }) : () => bytes ?? body;
  const all = { ...securityHeaders(), ...headers };
  return new Response(status === 304 || method === "HEAD" ? null : content(), { status, headers: all });
};

const eventResponse = async (
  { status, headers: own }: ApiResponse,
  events: EventStream,
  { method, signal }: Request,
): Promise<Response> => {
  const headers = { ...securityHeaders(), ...own };
  if (method === "HEAD") {
    await events.close();
    return new Response(null, { status, headers });
  }
  return new Response(eventBody(events, AbortSignal.any([signal, stoppedBySignal()])), { status, headers });
};

/** Responds with the core that `find` returns for the request's path. */
export const answerNode = async (
  find: (path: string) => Core,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> => {
  try {
    const context = getContext();
    const ctx = isPromise(context) ? await context : context;
    const header = (name: string) => headerOf(req, name);
    const { path, search } = targetOf(req.url ?? "/");
    const answer = await find(path)(ctx, {
      method: req.method ?? "GET",
      path,
      search,
      header,
      readBody: (limit) => readUpTo(limit, header("content-length"), req),
      ipAddress: clientAddress(req.socket.remoteAddress, header("x-forwarded-for"), ctx.settings.trustedProxies),
    });
    if (answer.events && req.method !== "HEAD") {
      await sendEvents(res, { ...answer, events: answer.events }, stoppedBySignal());
      return;
    }
    if (answer.events) await answer.events.close();
    const remaining = write(res, answer, req);
    if (remaining) await remaining;
  } catch (error) {
    if (isClientGone(error) || res.headersSent) res.destroy();
    else await write(res, crashAnswer(error), req);
  }
};

const targetOf = remember((target) => {
  const url = new URL(`http://localhost${target}`);
  return { path: below(url.pathname), search: url.searchParams };
});

/** @returns what remains to be waited for */
const write = (
  res: ServerResponse,
  { status, headers, body, bytes, stream }: ApiResponse,
  { method }: IncomingMessage,
): Promise<void> | undefined => {
  const withoutBody = status === 304 || method === "HEAD";
  if (stream && !withoutBody) {
    res.writeHead(status, withSecurityHeaders(headers));
    // Waits for slow clients, and ends the stream when they leave.
    return pipeline(Readable.from(stream, { objectMode: false }), res);
  }
  const content = bytes ?? body;
  const all = withSecurityHeaders(headers);
  if (!withoutBody) all.push("Content-Length", String(Buffer.byteLength(content)));
  res.writeHead(status, all);
  res.end(withoutBody ? undefined : content);
  return undefined;
};

/** Runs the core for a request that node:http could not parse beyond its request line. */
export const askUnread = async (core: Core, request: Unread): Promise<ApiResponse> => {
  const answer = await answerUnread(core, request);
  return { ...answer, headers: { ...securityHeaders(), ...answer.headers } };
};

type Unread = { method: string; url: string; remoteAddress: string | undefined };

const answerUnread = async (core: Core, { method, url, remoteAddress }: Unread): Promise<ApiResponse> => {
  try {
    return await core(await getContext(), {
      ...targetOf(url),
      method,
      header: () => null,
      readBody: async () => null,
      ipAddress: clientAddress(remoteAddress, null, 0),
    });
  } catch (error) {
    return crashAnswer(error);
  }
};
