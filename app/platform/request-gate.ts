/** Checks target, host and method of every request before routing. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { forwarded } from "./forwarded.ts";
import { foreignHost, isForeignHost, isHost } from "./own-host.ts";

/** A response without routing. `message` is empty if it has no body. */
export type HttpRefusal = { status: number; message: string; headers: Record<string, string> };

export type GateSettings = { appUrl: string; testMode: boolean; trustedProxies: number };

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const allow = { Allow: methods.join(", ") };

const refusal = (status: number, message: string, headers: Record<string, string> = {}): HttpRefusal => ({
  status,
  message,
  headers,
});

export const expectationFailed = refusal(417, "The only expectation that this server knows is 100-continue");
export const methodNotAllowed = refusal(405, "This method is not allowed", allow);

/** Whether a path, with or without query, belongs to the API. */
export const isApi = (url: string): boolean => /^\/api(?:[/?]|$)/.test(url);

/**
 * Normalizes the request for everything behind it: an origin-form target (`/path?query`), the one `Host` that the client
 * asked for, and `X-Forwarded-*` only with what trusted proxies say.
 *
 * @returns the refusal; null if the request is admitted
 */
export const gate = (req: IncomingMessage, settings: GateSettings): HttpRefusal | null => {
  trustProxies(req.headers, settings.trustedProxies);
  // HTTP/1.0 has no Host header; some monitors still use it.
  if (req.httpVersion === "1.0") req.headers.host ??= new URL(settings.appUrl).host;
  else if (countOf(req.rawHeaders, "host") !== 1) return refusal(400, "Send exactly one Host header");
  if (!resolveTarget(req)) return refusal(400, "The request target is invalid");
  if (!isHost(req.headers.host ?? "")) return refusal(400, "The Host header is invalid");
  if (isForeignHost((name) => headerOf(req, name), settings)) return refusal(421, foreignHost);
  if (req.url === "*") return req.method === "OPTIONS" ? refusal(204, "", allow) : methodNotAllowed;
  // The API answers every method itself.
  return methods.includes(req.method ?? "") || isApi(req.url ?? "") ? null : methodNotAllowed;
};

/** How often a header was sent. `headersDistinct` would collect all of them for each request. @param raw names and values in turns */
const countOf = (raw: readonly string[], name: string): number => {
  let count = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const sent = raw[i] ?? "";
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
};

export const headerOf = ({ headers }: IncomingMessage, name: string): string | null => {
  const value = headers[name];
  return value === undefined ? null : Array.isArray(value) ? value.join(", ") : value;
};

/** Express and Remix interpret these headers in their own ways, so only the trusted value is left in them. */
const trustProxies = (headers: IncomingHttpHeaders, trustedProxies: number): void => {
  for (const name of ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"]) {
    const value = headers[name];
    if (value === undefined) continue;
    const believed = forwarded(Array.isArray(value) ? value.join(",") : value, trustedProxies);
    if (believed === null || (name === "x-forwarded-host" && !isHost(believed))) delete headers[name];
    else headers[name] = believed;
  }
};

/** `GET http://host/path` means `/path` at that host, whatever `Host` says (RFC 9112, 3.2.2). */
const resolveTarget = (req: IncomingMessage): boolean => {
  const target = req.url ?? "";
  if (target.startsWith("/") || target === "*") return true;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return false;
  const { host, pathname, search } = new URL(target);
  req.headers.host = host;
  req.url = pathname + search;
  return true;
};
