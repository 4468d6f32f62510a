/**
 * Two ways to the same endpoint: Remix's loader and action, so that each is an ordinary resource route, and
 * node:http, which the server prefers because it spares the web Request (see docs/decisions/0004-two-adapters.md).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { getContext } from "../context.server.ts";
import { clientAddress } from "../domain/accounts/client-address.ts";
import type { Context } from "../domain/context.ts";
import { failureOf } from "../domain/failure.ts";
import { bodyUpTo, readUpTo } from "../platform/request-body.server.ts";
import type { ApiRequest, ApiResponse } from "./api-route.server.ts";

/** @throws ClientGone */
type Core = (ctx: Context, request: ApiRequest) => Promise<ApiResponse>;

export type ApiAction = ((args: LoaderFunctionArgs) => Promise<Response>) & {
  node: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
  core: Core;
};

export const adapt = (core: Core): ApiAction =>
  Object.assign((args: LoaderFunctionArgs) => throughRemix(core, args), {
    node: (req: IncomingMessage, res: ServerResponse) => throughNode(core, req, res),
    core,
  });

const below = (pathname: string) => pathname.replace(/^\/api(?=\/|$)/, "");

const throughRemix = async (core: Core, { request, context }: LoaderFunctionArgs): Promise<Response> => {
  const ctx = await getContext();
  const url = new URL(request.url);
  const answer = await unlessGone(
    core(ctx, {
      method: request.method,
      path: below(url.pathname),
      search: url.searchParams,
      header: (name) => request.headers.get(name),
      readBody: (limit) => bodyUpTo(limit, request),
      ipAddress: clientAddress(
        typeof context.remoteAddress === "string" ? context.remoteAddress : "unknown",
        request.headers.get("x-forwarded-for"),
        ctx.settings.trustedProxies,
      ),
    }),
  );
  // Nobody reads it; Remix wants an answer.
  if (!answer) return new Response(null, { status: 400 });
  const { status, headers, body } = answer;
  return new Response(status === 304 || request.method === "HEAD" ? null : body, { status, headers });
};

const throughNode = async (core: Core, req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const ctx = await getContext();
  const url = new URL(`http://localhost${req.url ?? "/"}`);
  const header = (name: string) => {
    const value = req.headers[name];
    return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
  };
  const answer = await unlessGone(
    core(ctx, {
      method: req.method ?? "GET",
      path: below(url.pathname),
      search: url.searchParams,
      header,
      readBody: (limit) => readUpTo(limit, header("content-length"), req),
      ipAddress: clientAddress(
        req.socket.remoteAddress ?? "unknown",
        header("x-forwarded-for"),
        ctx.settings.trustedProxies,
      ),
    }),
  );
  if (!answer) {
    res.destroy();
    return;
  }
  const { status, headers, body } = answer;
  const withoutBody = status === 304 || req.method === "HEAD";
  res.writeHead(status, { ...headers, ...(withoutBody ? {} : { "Content-Length": Buffer.byteLength(body) }) });
  res.end(withoutBody ? undefined : body);
};

/** Null: the client hung up, and there is nobody to answer. */
const unlessGone = async (answering: Promise<ApiResponse>): Promise<ApiResponse | null> => {
  try {
    return await answering;
  } catch (error) {
    if (failureOf(error).kind === "client_gone") return null;
    throw error;
  }
};
