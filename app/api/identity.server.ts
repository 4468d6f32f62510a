/**
 * Authentication: credentials → caller. A request with wrong credentials is anonymous: it counts against the client
 * address, and the access step rejects it.
 *
 * @spec Authentication
 */
import type { Caller, SessionProof } from "../domain/accounts/caller.ts";
import { recognise } from "../domain/accounts/session.server.ts";
import { authenticateKey, type KeyCaller } from "../domain/api-keys/authenticate.server.ts";
import type { Context } from "../domain/context.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Access } from "./endpoint.ts";

export type ApiCaller = KeyCaller | (Caller<SessionProof> & { recalled?: never });

/** The caller's key is right, and does not accept requests from the client's address. */
export const refusedAddressOf = (caller: ApiCaller | null): string | null =>
  caller?.proof.scheme === "key" ? caller.proof.refusedAddress : null;

type Headers = (name: string) => string | null;

/**
 * @param wanted which credential to check if the request has both; the bearer token if the endpoint accepts either
 * @param ipAddress the client's
 * @param routeId the route that the request is about, if any
 * @param mayRecall as for `authenticateKey`
 */
export const identify = (
  ctx: Context,
  header: Headers,
  wanted: Access,
  ipAddress: string,
  routeId: number | null = null,
  mayRecall = false,
): MaybePromise<ApiCaller | null> => {
  const byKey = header("x-api-key") !== null || header("x-username") !== null;
  const byBearer = header("authorization") !== null;
  if (byKey && (wanted === "key" || !byBearer)) {
    return authenticateKey(ctx, header("x-api-key") ?? "", header("x-username") ?? "", ipAddress, routeId, mayRecall);
  }
  const token = /^Bearer ([^\s]+)$/i.exec(header("authorization") ?? "")?.[1];
  return token === undefined ? null : recognise(ctx, token, "bearer");
};
