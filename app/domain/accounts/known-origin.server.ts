/**
 * What an account knows its holder by before any password is checked: the browser, by a cookie, or the place, which is a
 * network and a program. Neither opens anything. Their attempts are counted apart from those of strangers, so that
 * strangers cannot use up what the holder needs to sign in.
 */
import { createHash } from "node:crypto";
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { hashToken, type Origin } from "./lucia.server.ts";
import { placeOf } from "./place.ts";
import * as queries from "./queries.server.ts";
import type { ExclusiveLock, SharedLock } from "./session-queries.server.ts";

/** From the last sign-in on. */
const deviceDays = 180;

/** What the table of places knows a place by. */
export const placeKeyOf = (origin: Origin): string => createHash("sha256").update(placeOf(origin)).digest("hex");

/** How queries ask whether an account knows where this comes from. */
export const seenFrom = (ctx: Pick<Context, "clock">, origin: Origin): queries.SeenFrom => ({
  deviceHash: deviceHashOf(origin),
  place: placeKeyOf(origin),
  now: ctx.clock.now(),
});

const deviceHashOf = ({ deviceToken }: Origin): string | null => (deviceToken ? hashToken(deviceToken) : null);

/** Names the budget of whoever the account knows; null: strangers share theirs. */
export const ownBudgetOf = (accountId: number, knownBy: queries.KnownBy, origin: Origin): string | null => {
  if (knownBy === "device") return `device:${deviceHashOf(origin)}`;
  return knownBy === "place" ? `place:${accountId}:${placeKeyOf(origin)}` : null;
};

/** The same for an account that is known already. */
export const findOwnBudget = async (
  ctx: Pick<Context, "clock"> & { db: Tx },
  accountId: number,
  origin: Origin,
): Promise<string | null> =>
  ownBudgetOf(accountId, await queries.findKnownBy(ctx.db, accountId, seenFrom(ctx, origin)), origin);

/**
 * Makes the browser known to the account, for another half year.
 *
 * @returns what its device cookie is to hold: the same as before where that is already this account's
 */
export const rememberDevice = async (
  ctx: Pick<Context, "clock" | "random">,
  { tx, account }: SharedLock | ExclusiveLock,
  origin: Origin,
): Promise<string> => {
  const now = ctx.clock.now();
  const expiresAt = new Date(now.getTime() + deviceDays * 86_400_000);
  const { deviceToken } = origin;
  if (deviceToken && (await queries.extendDevice(tx, account.id, hashToken(deviceToken), now, expiresAt))) {
    return deviceToken;
  }
  const token = Buffer.from(ctx.random.bytes(32)).toString("base64url");
  await queries.insertDevice(tx, { tokenHash: hashToken(token), accountId: account.id, createdAt: now, expiresAt });
  return token;
};

/**
 * Makes all devices and places strangers again, as any of them may be an intruder's.
 *
 * @param kept where the holder is
 */
export const clearKnownOrigins = async ({ tx, account }: ExclusiveLock, kept: Origin | null): Promise<void> => {
  await queries.deleteDevices(tx, account.id, kept && deviceHashOf(kept));
  await queries.distrustPlaces(tx, account.id, kept && placeKeyOf(kept));
};
