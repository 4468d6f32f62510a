/** Calls endpoints without a network, through the route modules listed in `routes.ts`. */
import { buffer } from "node:stream/consumers";
import type { RouteConfigEntry } from "@remix-run/route-config";
import type { ApiAction } from "../api/api-route.server.ts";
import { apiRouter } from "../api/api-router.server.ts";
import type { ApiResponse } from "../api/serve.server.ts";
import routeConfig from "../routes.ts";
import { assertMatchesDocument } from "./openapi-check.ts";
import type { World } from "./world.ts";

const modules = import.meta.glob<{ action: ApiAction }>("../routes/api/**/*.ts");

export type Reply = Omit<ApiResponse, "body" | "bytes" | "stream" | "events"> & {
  bytes: Uint8Array;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the shape
  body: any;
};

export type CallOptions = {
  token?: string;
  key?: { secret: string; user: string };
  /** Sent as JSON, or unchanged if it is a string. */
  body?: unknown;
  headers?: Record<string, string>;
  ipAddress?: string;
};

/**
 * @param path below `/api`, with the query
 * @throws Error when the response deviates from the OpenAPI document
 */
export const call = async (world: World, method: string, path: string, options: CallOptions = {}): Promise<Reply> => {
  const url = new URL(`http://localhost/api${path}`);
  const text = typeof options.body === "string" ? options.body : JSON.stringify(options.body ?? null);
  const headers = new Headers({
    ...(options.body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
    ...(options.key ? { "X-API-Key": options.key.secret, "X-Username": options.key.user } : {}),
    ...options.headers,
  });
  const pathname = url.pathname.slice("/api".length);
  const find = await router;
  const {
    body,
    bytes: encoded,
    stream,
    events,
    ...reply
  } = await find(pathname)(world.ctx, {
    method,
    path: pathname,
    search: url.searchParams,
    header: (name) => headers.get(name),
    readBody: async (limit) => {
      const bytes = new TextEncoder().encode(options.body === undefined ? "" : text);
      return bytes.length > limit ? null : bytes;
    },
    ipAddress: options.ipAddress ?? "198.51.100.1",
  });
  // A stream of events is not read; tests of streams use a real connection.
  await events?.close();
  const bytes = stream && method !== "HEAD" ? await buffer(stream) : (encoded ?? Buffer.from(body));
  assertMatchesDocument(method, pathname, reply.status, reply.headers, bytes.toString());
  const isJson = reply.headers["Content-Type"]?.startsWith("application/json") && bytes.length > 0;
  return { ...reply, bytes, text: bytes.toString(), body: isJson ? JSON.parse(bytes.toString()) : undefined };
};

const flatten = (entries: RouteConfigEntry[]): RouteConfigEntry[] =>
  entries.flatMap((entry) => [entry, ...flatten(entry.children ?? [])]);

/** The API routes of `routes.ts`, literal paths before those with parameters. */
export const apiRoutes = flatten(routeConfig as RouteConfigEntry[])
  .filter(({ path }) => path?.startsWith("api/"))
  .map(({ path = "", file }) => ({ path: `/${path}`, load: modules[`../${file}`] }));

/** What answers a path below `/api`. */
export const router = Promise.all(Object.values(modules).map((load) => load())).then(apiRouter);
