/** Protection against DNS rebinding: which host names are the service's own. Pure. */
import { type HeaderOf, requestedHost } from "./forwarded.ts";
import { remember } from "./remember.ts";

/** Whether a host name, as `URL` writes it, is a loopback name or address. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127(\.\d+){3}$/.test(hostname);

/** What `Host` may contain: a name or an address, and a port. */
export const isHost = (host: string): boolean => hostnameOf(host) !== null;

/** The name in a `Host` header, without the port. Null if it is not valid. */
const hostnameOf = remember((host) =>
  /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null,
);

const hostnameAt = remember((url) => new URL(url).hostname);

/**
 * In test mode the login is public and the mailbox readable, so a page of another site must not reach it by pointing its
 * own name at this address (DNS rebinding). Only the service's own names are served. Clients that send no Host are not
 * browsers, and are served.
 *
 * A loopback site has no proxy that rewrites `Host`, and a page of another site can send any `X-Forwarded-Host`, so that
 * header is ignored there.
 */
export const isForeignHost = (
  header: HeaderOf,
  { appUrl, testMode, trustedProxies }: { appUrl: string; testMode: boolean; trustedProxies: number },
): boolean => {
  if (!testMode) return false;
  const own = hostnameAt(appUrl);
  const host = isLoopback(own) ? header("host") : requestedHost(header, trustedProxies);
  if (host === null) return false;
  const hostname = hostnameOf(host);
  return hostname === null || (hostname !== own && !isLoopback(hostname));
};

/** The body of the 421. */
export const foreignHost = "In test mode only the site's own address is served";
