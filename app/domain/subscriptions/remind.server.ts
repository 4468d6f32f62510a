/** Mails before a subscription ends and when it has ended. @spec States and transitions (reminders) */
import type { Tx } from "../../platform/db.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf, daysBetween } from "../dates.ts";
import { currency } from "../money.ts";
import { expired, lastReminder, type Message, reminder } from "../notifications/messages.ts";
import { enqueue, writtenAbout } from "../notifications/outbox.server.ts";
import { priceChangeInWords } from "../pricing/renewal-price.ts";
import * as dueQueries from "./due-queries.server.ts";
import { comingRenewalQuotes } from "./next-charge.server.ts";
import { dueReminder, reminderDays } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { isAutoRenewalOn, renews } from "./renewal.ts";
import type { RenewalQuote } from "./renewal-quotes.server.ts";
import { announceExpired, announceExpiring } from "./webhook-events.server.ts";

type World = Pick<Context, "db" | "clock" | "log" | "settings" | "tax">;

/**
 * Writes the reminders of `reminderDays`, each once. With auto-renewal the first one announces the coming
 * charge and locks its price. A job that runs late skips reminders whose day has passed. Cancelled subscriptions get none.
 *
 * @returns how many reminders were written
 */
export const remindExpiring = async (ctx: World, signal?: AbortSignal): Promise<number> => {
  const now = ctx.clock.now();
  const today = dayOf(now);
  let written = 0;
  for await (const ending of endingInBatches(ctx, {
    first: addDays(today, 1),
    last: addDays(today, reminderDays[0]),
  })) {
    if (signal?.aborted) break;
    written += await writeReminders(ctx, signal, ending, now);
  }
  return written;
};

const writeReminders = async (
  ctx: World,
  signal: AbortSignal | undefined,
  ending: dueQueries.EndingSubscription[],
  now: Date,
): Promise<number> => {
  const today = dayOf(now);
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
  return writeEach(ctx, signal, reminders, now, ({ row, dedupeKey }) => {
    const event = (tx: Tx) => announceExpiring(tx, row, dedupeKey, now);
    const daysLeft = daysBetween(today, row.endDate);
    if (isLastReminder(row.endDate, today) && renews(row, row)) {
      return { message: lastReminder(appUrl, { ...row, subscriptionId: row.id }, daysLeft), event };
    }
    const charge = charges.get(row.id);
    if (!charge) return { message: reminder(appUrl, row, daysLeft, null), event };
    const { on: date, quote, needsCard } = charge;
    return {
      message: reminder(appUrl, row, daysLeft, {
        date,
        amountCents: quote.withTax.amountCents,
        currency,
        needsCard,
        lastPaid: quote.priceChange && {
          amountCents: quote.withTax.previousCents ?? quote.priceChange.previousCents,
          whatChanged: priceChangeInWords(quote.priceChange),
        },
      }),
      announced: quote,
      event,
    };
  });
};

const isLastReminder = (endDate: Day, today: Day): boolean =>
  dueReminder(daysBetween(today, endDate)) === reminderDays.at(-1);

const reminderKey = ({ id, endDate }: dueQueries.EndingSubscription, today: Day) =>
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
  let written = 0;
  for await (const ended of endingInBatches(ctx, { first: addDays(today, -endNoticeDays), last: today })) {
    if (signal?.aborted) break;
    const notices = await unwritten(
      ctx,
      ended
        .filter(({ chargeIsOpen }) => !chargeIsOpen)
        .map((row) => ({ row, dedupeKey: `expired:subscription-${row.id}:${row.endDate}` })),
    );
    written += await writeEach(ctx, signal, notices, now, ({ row }) => ({
      message: expired(ctx.settings.appUrl, row),
      event: (tx) => announceExpired(tx, row, now),
    }));
  }
  return written;
};

const batchSize = 1_000;

async function* endingInBatches(
  ctx: Pick<Context, "db">,
  days: { first: Day; last: Day },
): AsyncGenerator<dueQueries.EndingSubscription[]> {
  let batch: dueQueries.EndingSubscription[] = [];
  do {
    batch = await dueQueries.endingBetween(ctx.db, days, batch.at(-1) ?? null, batchSize);
    yield batch;
  } while (batch.length === batchSize);
}

type Notice = { row: dueQueries.EndingSubscription; dedupeKey: string };

const unwritten = async (ctx: World, notices: Notice[]): Promise<Notice[]> => {
  const written = await writtenAbout(
    ctx,
    notices.map(({ dedupeKey }) => dedupeKey),
  );
  return notices.filter(({ dedupeKey }) => !written.has(dedupeKey));
};

type Written = {
  message: Message;
  /** Stores the same for webhooks. */
  event: (tx: Tx) => Promise<boolean>;
  /** The charge that the message names. */
  announced?: RenewalQuote;
};

/**
 * Each notice is written in its own transaction that checks the subscription again: it may have been renewed in the
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
  { message, announced, event }: Written,
  now: Date,
): Promise<boolean> => {
  await lockAccount(tx, accountId);
  const current = await queries.lockSubscription(tx, id);
  if (current?.endDate !== endDate) return false;
  const write = async () => {
    if (!(await enqueue(tx, { ...message, dedupeKey, accountId }, now))) return false;
    await event(tx);
    return true;
  };
  if (!announced) return write();
  // Otherwise the next run announces what has changed.
  const isCurrent = current.renewalTerm === announced.term && isAutoRenewalOn(current);
  if (!isCurrent || !(await queries.lockPrice(tx, { ...announced, subscriptionId: id, endDate, lockedAt: now })))
    return false;
  return write();
};
