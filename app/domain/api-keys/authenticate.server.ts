/** Authentication by API key. @spec Authentication */
import { timingSafeEqual } from "node:crypto";
import { batch } from "../../platform/batch.server.ts";
import { perDatabase } from "../../platform/db.server.ts";
import { isInNetworks } from "../../platform/ip-network.ts";
import type { Caller, KeyProof } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import type { KnownEntitlement } from "../subscriptions/entitlement.server.ts";
import { type ActiveKey, findActiveKeys } from "./queries.server.ts";
import { hashSecret, isWellFormedSecret } from "./secret.ts";

type World = Pick<Context, "db" | "clock">;

export type KeyCaller = Caller<KeyProof> & {
  /** What entitles the account to the route that the request is about. It was read with the key. */
  entitlement: KnownEntitlement | null;
};

/**
 * Null if the key is wrong, inactive or deleted, or the username is not the key's.
 *
 * @param ipAddress the client's, as `app/platform/forwarded.ts` decides
 * @param routeId the route that the request is about, if any
 */
export const authenticateKey = (
  ctx: World,
  secret: string,
  username: string,
  ipAddress: string,
  routeId: number | null,
): Promise<KeyCaller | null> => {
  if (!isWellFormedSecret(secret)) return Promise.resolve(null);
  const secretHash = hashSecret(secret).toString("hex");
  return lookUpOf(ctx.db)({ secretHash, routeId, now: ctx.clock.now() }).then((key) =>
    key && sameText(key.user, username) ? callerOf(key, ipAddress, routeId) : null,
  );
};

const callerOf = (
  { account, keyId, keyName, hourlyLimit, allowedAddresses, entitlement }: ActiveKey,
  ipAddress: string,
  routeId: number | null,
): KeyCaller => {
  const isAccepted = allowedAddresses === null || isInNetworks(ipAddress, allowedAddresses);
  return {
    account,
    proof: { scheme: "key", keyId, keyName, hourlyLimit, refusedAddress: isAccepted ? null : ipAddress },
    entitlement: routeId === null ? null : { routeId, entitlement },
  };
};

type Lookup = { secretHash: string; routeId: number | null; now: Date };

/** Requests that arrive during a look-up share the next one. Nothing is cached. */
const lookUpOf = perDatabase((db) =>
  batch(
    (lookups: Lookup[]): Promise<(ActiveKey | null)[]> =>
      findActiveKeys(db, lookups, new Date(Math.max(...lookups.map(({ now }) => now.getTime())))),
    { keyOf: ({ secretHash, routeId }) => `${secretHash} ${routeId}` },
  ),
);

const sameText = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};
