/** The cookies of a sign-in that waits for its second factor, or for a passkey. They grant no access alone. */
import type { Challenge } from "../domain/accounts/sign-in.server.ts";
import { portalCookie } from "./cookie.server.ts";

const challengeCookie = () => portalCookie("srds_challenge");

export const readChallenge = async (request: Request): Promise<string | null> => {
  const token: unknown = await (await challengeCookie()).parse(request.headers.get("Cookie"));
  return typeof token === "string" && token !== "" ? token : null;
};

/** The value of a `Set-Cookie` header. */
export const saveChallenge = async ({ token, minutes }: Challenge): Promise<string> =>
  (await challengeCookie()).serialize(token, { maxAge: minutes * 60 });

/** The value of a `Set-Cookie` header. */
export const clearChallenge = async (): Promise<string> => (await challengeCookie()).serialize("", { maxAge: 0 });

const passkeyCookie = () => portalCookie("srds_passkey");

export const readPasskeyToken = async (request: Request): Promise<string> => {
  const token: unknown = await (await passkeyCookie()).parse(request.headers.get("Cookie"));
  return typeof token === "string" ? token : "";
};

/** The value of a `Set-Cookie` header. */
export const savePasskeyToken = async ({ token, minutes }: Challenge): Promise<string> =>
  (await passkeyCookie()).serialize(token, { maxAge: minutes * 60 });

/** The value of a `Set-Cookie` header. */
export const clearPasskeyToken = async (): Promise<string> => (await passkeyCookie()).serialize("", { maxAge: 0 });
