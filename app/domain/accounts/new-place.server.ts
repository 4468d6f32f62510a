/** Notifies the holder of a sign-in from a new place. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { newPlace } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import type { Account } from "./caller.ts";
import { placeKeyOf } from "./known-origin.server.ts";
import type { Origin, SessionKind } from "./lucia.server.ts";
import * as queries from "./queries.server.ts";

/** The place of the registration counts as known. */
export const savePlace = async (tx: Tx, accountId: number, origin: Origin, now: Date): Promise<void> => {
  await queries.countPlace(tx, { accountId, place: placeKeyOf(origin), signIns: 0, firstSeenAt: now });
};

/**
 * Remembers the place of a sign-in and mails the account holder if it is new. The first sign-in ever sends no mail, as there is
 * nothing to compare it with.
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
  // Concurrent sign-ins do not see each other's place. The dedupe key keeps it to one mail.
  const dedupeKey = `new-place:${accountId}:${place.slice(0, 16)}:${dayOf(now)}`;
  await enqueue(ctx.db, { ...mail, dedupeKey, accountId }, now);
};

/** The part of the user agent that the mail shows. */
const shownLength = 160;
