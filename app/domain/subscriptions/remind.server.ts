/** Mail about the end of subscriptions: before it, and when it has come. @spec States and transitions (reminders) */
import type { Tx } from "../../platform/db.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf, daysBetween } from "../dates.ts";
import { currency } from "../money.ts";
import { type ComingCharge, expired, lastReminder, type Message, reminder } from "../notifications/messages.ts";
import { enqueue, writtenAbout } from "../notifications/outbox.server.ts";
import { chargeDateOf } from "./next-charge.server.ts";
import { dueReminder, reminderDays } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { renewalLine } from "./renewal-price.server.ts";

type World = Pick<Context, "db" | "clock" | "log" | "settings">;

/**
 * The reminders of `reminderDays`, each once; with auto-renewal the first names the coming charge. A job that runs late
 * skips reminders whose day has passed. Cancelled subscriptions get none.
 *
 * @returns how many reminders were written
 */
export const remindExpiring = async (ctx: World, signal?: AbortSignal): Promise<number> => {
  const now = ctx.clock.now();
  const today = dayOf(now);
  const ending = await queries.endingBetween(ctx.db, addDays(today, 1), addDays(today, reminderDays[0]));
  const about = ending
    .filter(({ cancelledAt }) => cancelledAt === null)
    .map((row) => ({ row, daysLeft: daysBetween(today, row.endDate) }))
    .map(({ row, daysLeft }) => ({ row, daysLeft, dedupeKey: reminderKey(row, daysLeft) }));
  return writeEach(ctx, signal, about, now, async ({ row, daysLeft }) => {
    const { appUrl } = ctx.settings;
    const renews = row.autoRenew && row.account.standing === "good";
    if (dueReminder(daysLeft) === reminderDays.at(-1)) {
      return renews ? lastReminder(appUrl, row, daysLeft) : reminder(appUrl, row, daysLeft, null);
    }
    return reminder(appUrl, row, daysLeft, renews ? await comingCharge(ctx, row, today) : null);
  });
};

const reminderKey = ({ subscriptionId, endDate }: queries.DueSubscription, daysLeft: number) =>
  `reminder-${dueReminder(daysLeft)}:subscription-${subscriptionId}:${endDate}`;

const comingCharge = async (ctx: World, row: queries.DueSubscription, today: Day): Promise<ComingCharge | null> => {
  const line = await renewalLine(ctx, row.account, row, row.renewalTerm);
  return line && { date: chargeDateOf(row.endDate, today), amountCents: line.totalCents, currency };
};

/** How long after the end the mail about it is still worth sending. */
const noticedDays = 30;

/**
 * Says that a subscription has ended, once. The status itself is derived from the date. While a renewal charge is open
 * it is not yet known whether it has.
 *
 * @returns how many have ended
 */
export const expireEnded = async (ctx: World, signal?: AbortSignal): Promise<number> => {
  const now = ctx.clock.now();
  const today = dayOf(now);
  const ended = await queries.endingBetween(ctx.db, addDays(today, -noticedDays), today);
  const about = ended
    .filter(({ chargeIsOpen }) => !chargeIsOpen)
    .map((row) => ({ row, dedupeKey: `expired:subscription-${row.subscriptionId}:${row.endDate}` }));
  return writeEach(ctx, signal, about, now, async ({ row }) => expired(ctx.settings.appUrl, row));
};

type About = { row: queries.DueSubscription; dedupeKey: string };

/**
 * Each in a transaction of its own that sees the subscription as it then is: a renewal may have come in between. One that
 * fails keeps the others from nothing, and is tried again by the next sweep.
 */
const writeEach = async <Item extends About>(
  ctx: World,
  signal: AbortSignal | undefined,
  about: Item[],
  now: Date,
  messageOf: (item: Item) => Promise<Message>,
): Promise<number> => {
  const written = await writtenAbout(
    ctx,
    about.map(({ dedupeKey }) => dedupeKey),
  );
  let count = 0;
  for (const item of about.filter(({ dedupeKey }) => !written.has(dedupeKey))) {
    if (signal?.aborted) break;
    try {
      const message = await messageOf(item);
      if (await ctx.db.transaction((tx) => writeOne(tx, item, message, now))) count += 1;
    } catch (error) {
      ctx.log.error("A message was not written", { about: item.dedupeKey }, error);
    }
  }
  return count;
};

const writeOne = async (tx: Tx, { row, dedupeKey }: About, message: Message, now: Date): Promise<boolean> => {
  await lockAccount(tx, row.accountId);
  const current = await queries.lockSubscription(tx, row.subscriptionId);
  if (current?.endDate !== row.endDate) return false;
  return enqueue(tx, { ...message, dedupeKey, accountId: row.accountId }, now);
};
