/** The name and the attributes that the portal's cookies share. */
import { type Cookie, createCookie } from "@remix-run/node";
import { getContext } from "../context.server.ts";

/** Browsers keep no cookie for longer. */
export const longestCookieSeconds = 400 * 86_400;

/**
 * Over HTTPS the name begins with `__Host-`: browsers then accept the cookie from this host only, and over HTTPS only, so
 * that neither another host of the domain nor a plain connection can set it.
 *
 * @param options `maxAge` in seconds; without it, the cookie ends with the browser's session
 */
export const portalCookie = async (name: string, options: { maxAge?: number } = {}): Promise<Cookie> => {
  const { settings } = await getContext();
  const secure = settings.appUrl.startsWith("https:");
  // The prefix demands this path.
  const path = "/";
  return createCookie(secure ? `__Host-${name}` : name, { httpOnly: true, sameSite: "lax", secure, path, ...options });
};
