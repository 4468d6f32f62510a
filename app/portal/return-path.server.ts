/**
 * Where a new account wanted to go, for the page that confirms its e-mail address: the link in the mail opens in a tab
 * of its own.
 */
import { emailLinkHours } from "../domain/accounts/policy.ts";
import { portalCookie } from "./cookie.server.ts";
import { safePath } from "./session.server.ts";

const returnCookie = () => portalCookie("srds_return", { maxAge: emailLinkHours * 3600 });

/** Browsers refuse cookies of more than 4 KB, and no page of the portal has an address nearly as long. */
const longestPath = 1_000;

/** Always a path of this site, the home page without a cookie or with an unreadable one. */
export const readReturnPath = async (request: Request): Promise<string> => {
  const path: unknown = await (await returnCookie()).parse(request.headers.get("Cookie"));
  return safePath(typeof path === "string" && path.length <= longestPath ? path : null);
};

/** The value of a `Set-Cookie` header. */
export const saveReturnPath = async (path: string): Promise<string> => {
  const cookie = await returnCookie();
  return path.length <= longestPath ? cookie.serialize(path) : cookie.serialize("", { maxAge: 0 });
};
