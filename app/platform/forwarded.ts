/**
 * `X-Forwarded-*` headers, used only as far as proxies are trusted (`TRUST_PROXY`): clients can send them too. Pure.
 */
import { normalAddress } from "./ip-address.ts";

/** A request's header by its name; null where it has none. */
export type HeaderOf = (name: string) => string | null;

/**
 * The entry of the outermost trusted proxy, in a list to which each proxy appends one: with two trusted proxies the second
 * from the right. If the list is shorter than that, its first entry.
 *
 * @returns null if no proxy is trusted or the header is missing
 */
export const forwarded = (value: string | null, trustedProxies: number): string | null => {
  if (trustedProxies === 0) return null;
  const entries = (value ?? "").split(",").flatMap((entry) => entry.trim() || []);
  return entries.at(-trustedProxies) ?? entries[0] ?? null;
};

/** All clients without a known address share one rate limit. */
export const unknownAddress = "unknown";

/** The client's address, normalized. */
export const clientAddress = (
  socketAddress: string | undefined,
  forwardedFor: string | null,
  trustedProxies: number,
): string => normalAddress(forwarded(forwardedFor, trustedProxies) ?? socketAddress ?? "") ?? unknownAddress;

/** Whether the request reached the outermost proxy over plain HTTP. */
export const cameOverHttp = (header: HeaderOf, trustedProxies: number): boolean =>
  forwarded(header("x-forwarded-proto"), trustedProxies)?.toLowerCase() === "http";

/** The host, with its port, that the client asked for. */
export const requestedHost = (header: HeaderOf, trustedProxies: number): string | null =>
  forwarded(header("x-forwarded-host"), trustedProxies) ?? header("host");
