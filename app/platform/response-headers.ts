/**
 * The security headers of every answer: pages, data, redirects, files, refusals, and requests that could not be parsed.
 * Pages add a policy for their scripts (`app/portal/security-headers.ts`).
 */
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { appUrlIn } from "./env.server.ts";

type HeaderValues = Readonly<Record<string, string>>;

/** For answers that are no pages: if a browser shows one all the same, nothing in it runs or loads. */
const nothingAllowed = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const overHttp: HeaderValues = {
  "Content-Security-Policy": nothingAllowed,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** For pages: browser features that none of them uses. */
export const permissionsPolicy = "accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), usb=()";

/** With the hosts below ours, so that none of them can set a cookie over plain HTTP (ASVS 3.4.1). */
const overHttps: HeaderValues = { ...overHttp, "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };

/** By the environment alone: answers have them although the configuration may be invalid. */
export const securityHeaders = (): HeaderValues => (hasHttps() ? overHttps : overHttp);

/** As the list that node:http writes fastest: a third of the time that it takes for an object with so many members. */
export const withSecurityHeaders = (headers: Record<string, string>): string[] => {
  const list = [...(hasHttps() ? listOverHttps : listOverHttp)];
  for (const name in headers) list.push(name, headers[name] ?? "");
  return list;
};

const listOverHttp = Object.entries(overHttp).flat();
const listOverHttps = Object.entries(overHttps).flat();

const hasHttps = (): boolean => {
  isHttps ??= appUrlIn(process.env).startsWith("https:");
  return isHttps;
};
/** Reading the environment is slow. */
let isHttps: boolean | undefined;

/**
 * Adds what is missing to every answer of this process, whichever server makes it: also to those of Express and
 * remix-serve, which the app does not see. The API's answers have the headers already.
 */
export const completeEveryAnswer = (): void => {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (!request.url?.startsWith("/api/")) completeHeaders(response);
  });
};

/** As late as possible: what sets or appends headers must not find these. */
const completeHeaders = (response: ServerResponse): void => {
  const { writeHead } = response;
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    if (!response.headersSent) {
      for (const [name, value] of Object.entries(securityHeaders())) {
        if (!response.hasHeader(name)) response.setHeader(name, value);
      }
    }
    return writeHead.apply(response, args);
  }) as typeof writeHead;
};
