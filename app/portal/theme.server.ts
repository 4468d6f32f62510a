/** Light, dark, or match the system. Kept in a cookie, because it belongs to a screen rather than to an account. */
import { z } from "zod";
import { longestCookieSeconds, portalCookie } from "./cookie.server.ts";

export const theme = z.enum(["system", "light", "dark"], { error: "Choose one of the three" });
export type Theme = z.infer<typeof theme>;

const themeCookie = () => portalCookie("srds_theme");

export const themeOf = async (request: Request): Promise<Theme> => {
  const chosen = theme.safeParse(await (await themeCookie()).parse(request.headers.get("Cookie")));
  return chosen.success ? chosen.data : "system";
};

/** The value of a `Set-Cookie` header. */
export const saveTheme = async (chosen: Theme): Promise<string> =>
  (await themeCookie()).serialize(chosen, { maxAge: chosen === "system" ? 0 : longestCookieSeconds });
