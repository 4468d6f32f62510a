/**
 * What proxies say of a request. `X-Forwarded-*` is believed only as far as proxies are trusted (`TRUST_PROXY`): anybody
 * else can write these headers too. Pure.
 */
import { normalAddress } from "./ip-address.ts";

/** A request's header by its name; null where it has none. */
export type HeaderOf = (name: string) => string | null;

/**
 * What the outermost trusted proxy has written into a list to which each proxy adds an entry: with two trusted proxies
 * the second from the right. A header with fewer entries was not written by all of them; then its first.
 *
 * @returns null where no proxy is trusted, or the header is missing
 */
export const forwarded = (value: string | null, trustedProxies: number): string | null => {
  if (trustedProxies === 0) return null;
  const entries = (value ?? "").split(",").flatMap((entry) => entry.trim() || []);
  return entries.at(-trustedProxies) ?? entries[0] ?? null;
};

/** Shared by all clients whose address is not known, so that none of them gets a budget of its own. */
export const unknownAddress = "unknown";

/** The client's address in its usual spelling. */
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
