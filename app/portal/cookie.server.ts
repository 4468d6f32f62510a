/** The attributes that the portal's cookies share. */
import { type Cookie, createCookie } from "@remix-run/node";
import { getContext } from "../context.server.ts";

/** Browsers keep no cookie for longer. */
export const longestCookieSeconds = 400 * 86_400;

/** @param options `maxAge` in seconds; without it, the cookie ends with the browser's session */
export const portalCookie = async (name: string, options: { path?: string; maxAge?: number } = {}): Promise<Cookie> => {
  const { settings } = await getContext();
  return createCookie(name, {
    httpOnly: true,
    sameSite: "lax",
    secure: settings.appUrl.startsWith("https:"),
    path: "/",
    ...options,
  });
};
