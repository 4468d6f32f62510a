/** CSRF protection for everything that a cookie authenticates. Pure. */
import { type HeaderOf, requestedHost } from "./forwarded.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether a browser says that another site sent this request, which may change something. Browsers set `Sec-Fetch-Site`
 * or `Origin` on every form and script request. Programs set neither, and carry no victim's cookie.
 */
export const isCrossSiteWrite = (
  method: string,
  header: HeaderOf,
  { appUrl, trustedProxies }: { appUrl: string; trustedProxies: number },
): boolean => {
  if (safeMethods.has(method)) return false;
  const site = header("sec-fetch-site");
  if (site === "cross-site" || site === "same-site") return true;
  const origin = header("origin");
  const own = new URL(appUrl);
  if (origin === null || origin === own.origin) return false;
  if (!URL.canParse(origin)) return true;
  const { host } = new URL(origin);
  // Our own name with another scheme: a page that somebody in the network has put there, as it came over plain HTTP.
  return host === own.host || host !== requestedHost(header, trustedProxies)?.toLowerCase();
};

/** The body of the 403. */
export const crossSiteMessage = "This form was sent from another site";
