/** Which names are our own. Pure. */
import { type HeaderOf, requestedHost } from "./forwarded.ts";

/** Whether a host name, as `URL` spells it, is this machine for whoever asks for it. */
export const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" ||
  hostname.endsWith(".localhost") ||
  hostname === "[::1]" ||
  /^127(\.\d+){3}$/.test(hostname);

/** What `Host` may contain: a name or an address, and a port. */
export const isHost = (host: string): boolean => /^[^\s/?#@\\]+$/.test(host) && URL.canParse(`http://${host}`);

/**
 * Test mode has a public login, a readable mailbox and no secrets, so a page of another site must not reach it by
 * pointing its own name at this address (DNS rebinding): only our own names are served. Programs that name no host are
 * not browsers.
 *
 * A loopback site has no proxy that would rewrite `Host`, and the page of another site may send any
 * `X-Forwarded-Host`: that header does not count there.
 */
export const isForeignHost = (
  header: HeaderOf,
  { appUrl, testMode, trustedProxies }: { appUrl: string; testMode: boolean; trustedProxies: number },
): boolean => {
  if (!testMode) return false;
  const own = new URL(appUrl).hostname;
  const host = isLoopback(own) ? header("host") : requestedHost(header, trustedProxies);
  if (host === null) return false;
  if (!isHost(host)) return true;
  const { hostname } = new URL(`http://${host}`);
  return hostname !== own && !isLoopback(hostname);
};

/** Said of a foreign host, with 421. */
export const foreignHost = "In test mode only the site's own address is served";
