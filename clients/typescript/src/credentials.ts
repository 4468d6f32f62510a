/** Credentials → request headers. */
import { ApiError } from "./errors.ts";
import type { components } from "./schema.ts";

type AccessToken = components["schemas"]["AccessToken"];

/** An API key, a login, or both: each endpoint takes the one that it accepts. */
export type Credentials = {
  apiKey?: { key: string; username: string };
  login?: { email: string; password: string };
};

export type Authenticator = {
  headers(): Promise<Record<string, string>>;
  /** After a 401. @returns whether there are new headers to try */
  renew(): Promise<boolean>;
};

/** A token is exchanged when less than this is left of its life. */
const refreshBeforeEndMs = 60 * 60_000;

/** @param post sends JSON without credentials from here, with `token` as the bearer */
export const authenticator = (
  { apiKey, login }: Credentials,
  post: (path: string, body: unknown, token?: string) => Promise<AccessToken>,
  now: () => Date,
): Authenticator => {
  let current: Promise<AccessToken> | null = null;
  const logIn = () => post("/auth/login", login);
  const refresh = async (token: AccessToken) => {
    try {
      return await post("/auth/refresh", undefined, token.access_token);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return logIn();
      throw error;
    }
  };
  /** Concurrent requests wait for the same login. A failed one is not kept. */
  const keep = (token: Promise<AccessToken>) => {
    current = token;
    token.catch(() => {
      if (current === token) current = null;
    });
    return token;
  };
  const token = async (): Promise<string> => {
    const known = current ?? keep(logIn());
    const kept = await known;
    const left = Date.parse(kept.expires_at) - now().getTime();
    if (left > refreshBeforeEndMs) return kept.access_token;
    return (await (current === known ? keep(refresh(kept)) : (current ?? keep(logIn())))).access_token;
  };
  return {
    headers: async () => ({
      ...(apiKey ? { "X-API-Key": apiKey.key, "X-Username": apiKey.username } : {}),
      ...(login ? { Authorization: `Bearer ${await token()}` } : {}),
    }),
    renew: async () => {
      if (!login) return false;
      current = null;
      return true;
    },
  };
};
