/** Mails before a subscription ends and when it has ended. @spec States and transitions (reminders) */
import type { Tx } from "../../platform/db.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf, daysBetween } from "../dates.ts";
import { currency } from "../money.ts";
import { expired, lastReminder, type Message, reminder } from "../notifications/messages.ts";
import { enqueue, writtenAbout } from "../notifications/outbox.server.ts";
import type { QuoteLine } from "../pricing/quote.ts";
import { comingRenewalQuotes } from "./next-charge.server.ts";
import { dueReminder, reminderDays } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { isAutoRenewalOn, renews } from "./renewal.ts";

type World = Pick<Context, "db" | "clock" | "log" | "settings">;

/**
 * Writes the reminders of `reminderDays`, each once. With auto-renewal the first one announces the coming
 * charge and locks its price. A job that runs late skips reminders whose day has passed. Cancelled subscriptions get none.
 *
 * @returns how many reminders were written
 */
export const remindExpiring = async (ctx: World, signal?: AbortSignal): Promise<number> => {
  const now = ctx.clock.now();
  const today = dayOf(now);
  const ending = await queries.endingBetween(ctx.db, addDays(today, 1), addDays(today, reminderDays[0]));
  const reminders = await unwritten(
    ctx,
    ending
      .filter(({ cancelledAt }) => cancelledAt === null)
      .map((row) => ({ row, dedupeKey: reminderKey(row, today) })),
  );
  const charges = await comingRenewalQuotes(
    ctx,
    reminders.map(({ row }) => row).filter(({ endDate }) => !isLastReminder(endDate, today)),
  );
  const { appUrl } = ctx.settings;
  return writeEach(ctx, signal, reminders, now, ({ row }) => {
    const daysLeft = daysBetween(today, row.endDate);
    if (isLastReminder(row.endDate, today) && renews(row, row)) return { message: lastReminder(appUrl, row, daysLeft) };
    const charge = charges.get(row.id);
    if (!charge) return { message: reminder(appUrl, row, daysLeft, null) };
    const { on: date, quote } = charge;
    return {
      message: reminder(appUrl, row, daysLeft, { date, amountCents: quote.totalCents, currency }),
      announced: quote,
    };
  });
};

const isLastReminder = (endDate: Day, today: Day): boolean =>
  dueReminder(daysBetween(today, endDate)) === reminderDays.at(-1);

const reminderKey = ({ id, endDate }: queries.EndingSubscription, today: Day) =>
  `reminder-${isLastReminder(endDate, today) ? 1 : 7}:subscription-${id}:${endDate}`;

/** A run that is later than this sends no mail about the end. */
const endNoticeDays = 30;

/**
 * Sends one mail for each subscription that has ended; the status itself follows from the date. While a renewal charge is
 * pending the subscription may still be renewed, so the mail waits.
 *
 * @returns how many mails were written
 */
export const expireEnded = async (ctx: World, signal?: AbortSignal): Promise<number> => {
  const now = ctx.clock.now();
  const today = dayOf(now);
  const ended = await queries.endingBetween(ctx.db, addDays(today, -endNoticeDays), today);
  const notices = await unwritten(
    ctx,
    ended
      .filter(({ chargeIsOpen }) => !chargeIsOpen)
      .map((row) => ({ row, dedupeKey: `expired:subscription-${row.id}:${row.endDate}` })),
  );
  return writeEach(ctx, signal, notices, now, ({ row }) => ({ message: expired(ctx.settings.appUrl, row) }));
};

type Notice = { row: queries.EndingSubscription; dedupeKey: string };

const unwritten = async (ctx: World, notices: Notice[]): Promise<Notice[]> => {
  const written = await writtenAbout(
    ctx,
    notices.map(({ dedupeKey }) => dedupeKey),
  );
  return notices.filter(({ dedupeKey }) => !written.has(dedupeKey));
};

type Written = {
  message: Message;
  /** The charge that the message names. */
  announced?: QuoteLine;
};

/**
 * Each notice is written in a transaction of its own that checks the subscription again: it may have been renewed in the
 * meantime. A failure does not stop the rest; the next run tries it again.
 */
const writeEach = async (
  ctx: World,
  signal: AbortSignal | undefined,
  notices: Notice[],
  now: Date,
  write: (notice: Notice) => Written,
): Promise<number> => {
  let count = 0;
  for (const notice of notices) {
    if (signal?.aborted) break;
    try {
      if (await ctx.db.transaction((tx) => writeOne(tx, notice, write(notice), now))) count += 1;
    } catch (error) {
      ctx.log.error("A message was not written", { about: notice.dedupeKey }, error);
    }
  }
  return count;
};

const writeOne = async (
  tx: Tx,
  { row: { id, accountId, endDate }, dedupeKey }: Notice,
  { message, announced }: Written,
  now: Date,
): Promise<boolean> => {
  await lockAccount(tx, accountId);
  const current = await queries.lockSubscription(tx, id);
  if (current?.endDate !== endDate) return false;
  if (!announced) return enqueue(tx, { ...message, dedupeKey, accountId }, now);
  // Otherwise the next run announces what has changed.
  const isCurrent = current.renewalTerm === announced.term && isAutoRenewalOn(current);
  if (!isCurrent || !(await queries.lockPrice(tx, { ...announced, subscriptionId: id, endDate, lockedAt: now })))
    return false;
  return enqueue(tx, { ...message, dedupeKey, accountId }, now);
};
