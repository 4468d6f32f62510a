/**
 * Known origins of an account: browsers, recognised by a cookie, and places (a network and a user agent). They grant no
 * access, but their attempts have their own rate limit, so that strangers cannot lock the account holder out.
 */
import { createHash } from "node:crypto";
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { hashToken, type Origin } from "./lucia.server.ts";
import { placeOf } from "./place.ts";
import { knownDeviceDays } from "./policy.ts";
import * as queries from "./queries.server.ts";
import type { ExclusiveLock, SharedLock } from "./session-queries.server.ts";

/** The key of a place in the database. */
export const placeKeyOf = (origin: Origin): string => createHash("sha256").update(placeOf(origin)).digest("hex");

/** The parameters of queries that look for a known origin. */
export const seenFrom = (ctx: Pick<Context, "clock">, origin: Origin): queries.SeenFrom => ({
  deviceHash: deviceHashOf(origin),
  place: placeKeyOf(origin),
  now: ctx.clock.now(),
});

const deviceHashOf = ({ deviceToken }: Origin): string | null => (deviceToken ? hashToken(deviceToken) : null);

/** The key of a known origin's own rate limit. Null: an unknown origin, which shares one. */
export const ownBudgetOf = (accountId: number, knownBy: queries.KnownBy, origin: Origin): string | null => {
  if (knownBy === "device") return `device:${deviceHashOf(origin)}`;
  return knownBy === "place" ? `place:${accountId}:${placeKeyOf(origin)}` : null;
};

/** The same, looked up for one account. */
export const findOwnBudget = async (
  ctx: Pick<Context, "clock"> & { db: Tx },
  accountId: number,
  origin: Origin,
): Promise<string | null> =>
  ownBudgetOf(accountId, await queries.findKnownBy(ctx.db, accountId, seenFrom(ctx, origin)), origin);

/**
 * Remembers the browser for another `knownDeviceDays`.
 *
 * @returns the value for its device cookie; unchanged if the cookie already belongs to this account
 */
export const rememberDevice = async (
  ctx: Pick<Context, "clock" | "random">,
  { tx, account }: SharedLock | ExclusiveLock,
  origin: Origin,
): Promise<string> => {
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + knownDeviceDays * millisecondsPerDay);
  const { deviceToken } = origin;
  if (deviceToken && (await queries.extendDevice(tx, account.id, hashToken(deviceToken), now, expiresAt))) {
    return deviceToken;
  }
  const token = Buffer.from(ctx.random.bytes(32)).toString("base64url");
  await queries.insertDevice(tx, { tokenHash: hashToken(token), accountId: account.id, createdAt: now, expiresAt });
  return token;
};

/**
 * Forgets all devices and distrusts all places, as any of them may be an intruder's.
 *
 * @param kept the origin of the account holder, which stays known
 */
export const clearKnownOrigins = async ({ tx, account }: ExclusiveLock, kept: Origin | null): Promise<void> => {
  await queries.deleteDevices(tx, account.id, kept && deviceHashOf(kept));
  await queries.distrustPlaces(tx, account.id, kept && placeKeyOf(kept));
};
