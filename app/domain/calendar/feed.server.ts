/**
 * The renewal calendar: a file at a secret address that calendar programs read without signing in. It shows when each
 * active subscription renews or ends.
 */
import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { hashToken } from "../accounts/lucia.server.ts";
import type { Context } from "../context.ts";
import { listSubscriptions } from "../subscriptions/list.server.ts";
import { icalOf } from "./ical.ts";
import * as queries from "./queries.server.ts";
import { renewalEvents } from "./renewal-events.ts";

/** When the account's calendar got its address; null: it has none. */
export const calendarFeedOf = (ctx: Pick<Context, "db">, { account }: Caller): Promise<{ createdAt: Date } | null> =>
  queries.findFeed(ctx.db, account.id);

const secretBytes = 32;

/** Gives the calendar a new address. An earlier one stops working. @returns the address, which is not stored */
export const createCalendarFeed = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "settings">,
  caller: Caller,
): Promise<{ url: string }> => {
  const secret = Buffer.from(ctx.random.bytes(secretBytes)).toString("base64url");
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const feed = { accountId: caller.account.id, tokenHash: hashToken(secret), createdAt: now };
    await queries.replaceFeed(tx, feed);
    await recordAudit(tx, caller, "calendar_feed.created", now);
  });
  return { url: `${ctx.settings.appUrl}/calendar/${secret}.ics` };
};

export const revokeCalendarFeed = (ctx: Pick<Context, "db" | "clock">, caller: Caller): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    if (!(await queries.deleteFeed(tx, caller.account.id))) return;
    await recordAudit(tx, caller, "calendar_feed.revoked", ctx.clock.now());
  });

/** For an account that is being closed. */
export const deleteCalendarFeed = async (tx: Tx, accountId: number): Promise<void> => {
  await queries.deleteFeed(tx, accountId);
};

/** The calendar at this address, as an iCalendar file. Null: there is none. */
export const readCalendarFeed = async (
  ctx: Pick<Context, "db" | "clock" | "settings" | "tax">,
  secret: string,
): Promise<string | null> => {
  const account = await queries.findReader(ctx.db, hashToken(secret));
  if (!account) return null;
  const subscriptions = await listSubscriptions(ctx, { account });
  return icalOf("Route data renewals", renewalEvents(subscriptions, ctx.settings.appUrl), ctx.clock.now());
};
