/** Light, dark, or match the system. Kept in a cookie, because it belongs to a screen rather than to an account. */
import { createCookie } from "@remix-run/node";
import { z } from "zod";
import type { Settings } from "../domain/context.ts";
import { longestCookieSeconds } from "./cookie.server.ts";

export const theme = z.enum(["system", "light", "dark"], { error: "Choose one of the three" });
export type Theme = z.infer<typeof theme>;

const themeCookie = createCookie("srds_theme", { httpOnly: true, sameSite: "lax", path: "/" });

export const themeOf = async (request: Request): Promise<Theme> => {
  const chosen = theme.safeParse(await themeCookie.parse(request.headers.get("Cookie")));
  return chosen.success ? chosen.data : "system";
};

/** The value of a `Set-Cookie` header. */
export const saveTheme = (chosen: Theme, { appUrl }: Pick<Settings, "appUrl">): Promise<string> =>
  themeCookie.serialize(chosen, {
    secure: appUrl.startsWith("https:"),
    maxAge: chosen === "system" ? 0 : longestCookieSeconds,
  });
