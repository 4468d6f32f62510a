/** Durations and traces of requests. The handle of each route, method and status is looked up once. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Origin } from "../time-budget.server.ts";
import { isTracing, traced } from "../tracing.ts";
import { activeRequests, registry, requestDuration, requestMethods } from "./metrics.ts";

let active = 0;
registry.onRead(() => activeRequests.set({}, active));

type Observe = (seconds: number) => void;
const handles = new Map<string, Map<string, Observe>>();

const handleOf = (route: string, method: string | undefined, status: number): Observe => {
  const ofRoute = handles.get(route) ?? new Map<string, Observe>();
  const key = `${method}${status}`;
  const found = ofRoute.get(key);
  if (found) return found;
  const made = requestDuration.at({
    "http.request.method": requestMethods.find((known) => known === method) ?? "_OTHER",
    "http.route": route,
    "http.response.status_code": String(status),
  });
  handles.set(route, ofRoute);
  // Unknown methods share one handle, but would each be remembered here.
  if (ofRoute.size < mostRemembered) ofRoute.set(key, made);
  return made;
};
const mostRemembered = 100;

/** The client had left before there was anything to send; nginx's number for it. */
const clientLeft = 499;

const statusSent = (res: ServerResponse): number => (res.headersSent ? res.statusCode : clientLeft);

/** @param routeOf the template of a URL's path, asked when the response has ended */
export const observeRequest = (req: IncomingMessage, res: ServerResponse, routeOf: (url: string) => string): void => {
  const { url = "/", method } = req;
  const startedAt = performance.now();
  active += 1;
  res.on("close", () => {
    active -= 1;
    const status = statusSent(res);
    handleOf(routeOf(url), method, status)((performance.now() - startedAt) / 1_000);
  });
};

/** Runs a request in a span, whose name is the method and the template of the path. Without tracing it only runs it. */
export const tracedRequest = <Result>(
  req: IncomingMessage,
  res: ServerResponse,
  { routeOf, origin }: { routeOf: (url: string) => string; origin: Origin },
  work: () => Promise<Result>,
): Promise<Result> => {
  if (!isTracing()) return work();
  const { url = "/", method = "_OTHER", headers } = req;
  const route = routeOf(url);
  const attributes = { "http.request.method": method, "http.route": route };
  return traced({ name: `${method} ${route}`, kind: "server", parent: headers, attributes }, async (span) => {
    const result = await work();
    span.set({ "http.response.status_code": statusSent(res) });
    if (origin.requestId !== null) span.set({ request_id: origin.requestId });
    return result;
  });
};
