/** Telling the holder when an account is signed in to from where it never was. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { newPlace } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import type { Account } from "./caller.ts";
import { placeKeyOf } from "./known-origin.server.ts";
import type { Origin, SessionKind } from "./lucia.server.ts";
import * as queries from "./queries.server.ts";

/** The place of the registration is no news. */
export const savePlace = async (tx: Tx, accountId: number, origin: Origin, now: Date): Promise<void> => {
  await queries.countPlace(tx, { accountId, place: placeKeyOf(origin), signIns: 0, firstSeenAt: now });
};

/**
 * Remembers the place of a sign-in, and writes to the holder when it is new. An account's very first sign-in is never
 * news: there is nothing yet to compare it with.
 */
export const notifyNewPlace = async (
  ctx: Pick<Context, "clock" | "settings"> & { db: Tx },
  { id: accountId }: Account,
  kind: SessionKind,
  origin: Origin,
): Promise<void> => {
  const now = ctx.clock.now();
  const place = placeKeyOf(origin);
  const { isKnown, hasSignedIn } = await queries.knownPlace(ctx.db, accountId, place);
  await queries.countPlace(ctx.db, { accountId, place, signIns: 1, firstSeenAt: now });
  if (isKnown || !hasSignedIn) return;
  const mail = newPlace(ctx.settings.appUrl, {
    at: now,
    address: origin.ipAddress ?? "an unknown address",
    program: origin.userAgent?.slice(0, shownLength) || "an unknown program",
    by: kind,
  });
  // Of several sign-ins at once, none sees the others' place; the mail is written once all the same.
  const dedupeKey = `new-place:${accountId}:${place.slice(0, 16)}:${dayOf(now)}`;
  await enqueue(ctx.db, { ...mail, dedupeKey, accountId }, now);
};

/** What a mail shows of a program's name for itself. */
const shownLength = 160;
