/** Whether shortcuts of a single key are on: kept in a cookie, as it belongs to a keyboard rather than to an account. */
import { createCookie } from "@remix-run/node";
import type { Settings } from "../domain/context.ts";
import { longestCookieSeconds } from "./cookie.server.ts";

const cookie = createCookie("srds_single_keys", { httpOnly: true, sameSite: "lax", path: "/" });

export const singleKeysOf = async (request: Request): Promise<boolean> =>
  (await cookie.parse(request.headers.get("Cookie"))) !== "off";

/** The value of a `Set-Cookie` header. */
export const saveSingleKeys = (on: boolean, { appUrl }: Pick<Settings, "appUrl">): Promise<string> =>
  cookie.serialize("off", { secure: appUrl.startsWith("https:"), maxAge: on ? 0 : longestCookieSeconds });
