/** Authentication by API key. @spec Authentication */
import { timingSafeEqual } from "node:crypto";
import { batch } from "../../platform/batch.server.ts";
import { perDatabase } from "../../platform/db.server.ts";
import { isInNetworks } from "../../platform/ip-network.ts";
import type { MaybePromise } from "../../platform/maybe-promise.ts";
import { recentlyUsed } from "../../platform/remember.ts";
import type { Caller, KeyProof } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { latestOf } from "../dates.ts";
import type { KnownEntitlement } from "../subscriptions/entitlement.server.ts";
import { type ActiveKey, findActiveKeys } from "./queries.server.ts";
import type { RecalledKey } from "./recalled-key.ts";
import { hashSecret, isWellFormedSecret } from "./secret.ts";

type World = Pick<Context, "db" | "clock">;

export type KeyCaller = Caller<KeyProof> & {
  /** What entitles the account to the route that the request is about. It was read with the key. */
  entitlement: KnownEntitlement | null;
  /** Null: all this was read for this request. */
  recalled: RecalledKey | null;
};

/**
 * Null if the key is wrong, inactive or deleted, or the username is not the key's.
 *
 * @param ipAddress the client's, as `app/platform/forwarded.ts` decides
 * @param routeId the route that the request is about, if any
 * @param mayRecall whether the key may be as an earlier request has read it. Callers that allow it must pass `recalled` to
 *   `recordUsage`, and answer only if that returns true
 */
export const authenticateKey = (
  ctx: World,
  secret: string,
  username: string,
  ipAddress: string,
  routeId: number | null,
  mayRecall = false,
): MaybePromise<KeyCaller | null> => {
  if (!isWellFormedSecret(secret)) return null;
  const secretHash = hashSecret(secret).toString("hex");
  const callerOf = (key: ActiveKey | null, recalled: RecalledKey | null) =>
    key && sameText(key.user, username) ? keyCaller(key, ipAddress, routeId, recalled) : null;
  const memory = memoryOf(ctx.db);
  const place = placeOf({ secretHash, routeId });
  const known = mayRecall ? memory.find(place) : undefined;
  const recalling = known && callerOf(known, { secretHash, routeId, state: known.state, plan: known.account.plan });
  if (recalling) return recalling;
  return lookUpOf(ctx.db)({ secretHash, routeId, now: ctx.clock.now() }).then((key) => {
    if (key && (routeId === null || key.entitlement)) memory.keep(place, key);
    else memory.forget(place);
    return callerOf(key, null);
  });
};

const keyCaller = (
  { account, keyId, keyName, hourlyLimit, allowedAddresses, entitlement }: ActiveKey,
  ipAddress: string,
  routeId: number | null,
  recalled: RecalledKey | null,
): KeyCaller => {
  const isAccepted = allowedAddresses === null || isInNetworks(ipAddress, allowedAddresses);
  return {
    account,
    proof: { scheme: "key", keyId, keyName, hourlyLimit, refusedAddress: isAccepted ? null : ipAddress },
    entitlement: routeId === null ? null : { routeId, entitlement },
    recalled,
  };
};

type Lookup = { secretHash: string; routeId: number | null; now: Date };

const placeOf = ({ secretHash, routeId }: Omit<Lookup, "now">): string => `${secretHash} ${routeId}`;

/** Up to twice as many are kept: some kilobytes each, with what was last opened by it (`openedOn`). */
const mostRecalled = 5_000;

const memoryOf = perDatabase(() => recentlyUsed<ActiveKey>(mostRecalled));

/** Requests that arrive during a look-up share the next one. */
const lookUpOf = perDatabase((db) =>
  batch(
    (lookups: Lookup[]): Promise<(ActiveKey | null)[]> =>
      findActiveKeys(db, lookups, latestOf(lookups.map(({ now }) => now))),
    { keyOf: placeOf },
  ),
);

const sameText = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};
