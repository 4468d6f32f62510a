/** Whether shortcuts of a single key are on: kept in a cookie, as it belongs to a keyboard rather than to an account. */
import { longestCookieSeconds, portalCookie } from "./cookie.server.ts";

const cookie = () => portalCookie("srds_single_keys");

export const singleKeysOf = async (request: Request): Promise<boolean> =>
  (await (await cookie()).parse(request.headers.get("Cookie"))) !== "off";

/** The value of a `Set-Cookie` header. */
export const saveSingleKeys = async (on: boolean): Promise<string> =>
  (await cookie()).serialize("off", { maxAge: on ? 0 : longestCookieSeconds });
