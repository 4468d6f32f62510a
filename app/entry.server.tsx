import { randomBytes, randomUUID } from "node:crypto";
import {
  type AppLoadContext,
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
  redirectDocument,
} from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { getService } from "./context.server.ts";
import { failureOf } from "./domain/failure.ts";
import { jsonLog } from "./platform/log.server.ts";
import { statusOf } from "./platform/refusal-status.ts";
import { completeEveryAnswer } from "./platform/response-headers.ts";
import { currentOrigin } from "./platform/time-budget.server.ts";
import { cacheControlOf } from "./portal/cache-control.server.ts";
import { inLocale, localeFor } from "./portal/locale.server.ts";
import { pageBody } from "./portal/page-body.server.ts";
import { ResponseProvider } from "./portal/response-context.ts";
import { pageHeaders, paymentOrigins } from "./portal/security-headers.ts";

/** For our own server, which serves the API without Remix. */
export { apiHandler } from "./api/api-router.server.ts";
export { refuseApi, refuseUnreadApi } from "./api/refuse.server.ts";
export { metricsText, observe, readMetrics, ready, scrapeWith, stop, stopping, unfinished } from "./context.server.ts";
export { observeRequest, tracedRequest } from "./platform/metrics/requests.ts";
/** For what our own server rejects before Remix gets it. */
export { logSecurityEvent } from "./platform/security-events.ts";
/** Called by the server around each request. */
export { asRequest, currentOrigin } from "./platform/time-budget.server.ts";

const abortAfterMs = 10_000;
/** Loader promises time out before the rendering does, so that their error boundaries can still be shown. */
export const streamTimeout = abortAfterMs - 1_000;

export const log = jsonLog();

// Vite loads this module again whenever a file changes.
if (!import.meta.env.DEV) completeEveryAnswer();

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  // Remix then shows the error page, with this status.
  if (unavailable.delete(request)) throw temporarily();
  const { config } = await getService();
  const nonce = randomBytes(16).toString("base64");
  const requestId = requestIdOf(request);
  const policies = pageHeaders({
    nonce,
    https: config.appUrl.startsWith("https:"),
    payments: config.stripe ? paymentOrigins(config.stripeJsUrl) : undefined,
    development: import.meta.env.DEV,
  });
  for (const [name, value] of Object.entries(policies)) headers.set(name, value);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("X-Request-Id", requestId);
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", cacheControlOf(loadContext, "document"));
  if (status === statusOf.unavailable) headers.set("Retry-After", retryAfterOf(request));
  headers.append("Vary", "Cookie, Accept-Language");
  const locale = localeFor(request.headers.get("Accept-Language"));

  return new Promise((resolve, reject) => {
    let responded = false;
    let failed = false;
    const respond = () => {
      responded = true;
      const { sink, body } = pageBody();
      sink.on("close", () => clearTimeout(timer));
      resolve(new Response(body, { headers, status: failed ? 500 : status }));
      pipe(sink);
    };
    // Crawlers do not wait for streamed content, so they get the whole page at once.
    const whole = isbot(request.headers.get("User-Agent") ?? "");
    const { pipe, abort } = inLocale(locale, () =>
      renderToPipeableStream(
        <ResponseProvider value={{ nonce, requestId }}>
          <RemixServer context={remixContext} url={request.url} abortDelay={abortAfterMs} nonce={nonce} />
        </ResponseProvider>,
        {
          nonce,
          [whole ? "onAllReady" : "onShellReady"]: respond,
          onShellError: (error) => {
            clearTimeout(timer);
            reject(error);
          },
          onError: (error) => {
            failed = true;
            // Errors of the shell are rejected, and logged by handleError.
            if (responded) logFault(error, request, requestId);
          },
        },
      ),
    );
    const timer = setTimeout(abort, abortAfterMs);
    timer.unref();
  });
}

/**
 * Loader data is as private as its page. While the database is unavailable, a navigation is turned into a document request, which
 * shows the error page; a request for some of the loaders (`_routes`) only fails.
 */
export const handleDataRequest: HandleDataRequestFunction = (response, { request, context }) => {
  if (unavailable.delete(request)) {
    if (request.method === "GET" && !new URL(request.url).searchParams.has("_routes"))
      return redirectDocument(pageOf(request.url));
    response.headers.set("Retry-After", retryAfterOf(request));
  }
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", cacheControlOf(context, "data"));
  response.headers.append("Vary", "Cookie, Accept-Language");
  return response;
};

/**
 * Logs errors of loaders, actions and the shell. A closed connection is not an error, and neither is a form posted to a page
 * without an action or a request with `_data`, which the app's own scripts never send.
 */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (error instanceof Response) return;
  const { kind, refusal } = failureOf(error);
  if (refusal?.code === "unavailable") {
    unavailable.add(request);
    retryAfter.set(request, refusal.retryAfterSeconds ?? defaultRetryAfterSeconds);
  }
  const isTheirs =
    kind === "client_gone" ||
    (isRouteErrorResponse(error) && error.status < 500) ||
    new URL(request.url).searchParams.has("_data");
  if (!isTheirs && !request.signal.aborted) logFault(error, request, requestIdOf(request));
};

/** Requests for which the database or the payment provider was away, until their response is made. */
const unavailable = new WeakSet<Request>();
const retryAfter = new WeakMap<Request, number>();
const defaultRetryAfterSeconds = 5;
const retryAfterOf = (request: Request): string => String(retryAfter.get(request) ?? defaultRetryAfterSeconds);

const temporarily = () =>
  new Response("The service is temporarily unavailable; try again shortly", { status: statusOf.unavailable });

/** The page of a data request: `/usage.data?period=days` belongs to `/usage?period=days`. */
const pageOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname.replace(/\.data$/, "").replace(/^\/_root$/, "/") + search;
};

const logFault = (error: unknown, request: Request, requestId: string) => {
  const { pathname } = new URL(request.url);
  const fields = { request_id: requestId, "http.request.method": request.method, "url.path": pathname };
  log.error("A page failed", fields, error);
};

const requestIds = new WeakMap<Request, string>();

const requestIdOf = (request: Request): string => {
  const id = requestIds.get(request) ?? currentOrigin()?.requestId ?? randomUUID();
  requestIds.set(request, id);
  return id;
};
