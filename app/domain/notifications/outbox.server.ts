/**
 * Mail is written down in the transaction that causes it and sent later: what is rolled back is never mailed, and what
 * is committed is never forgotten.
 */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { htmlOf } from "./html.ts";
import { type Mail, RefusedForGood } from "./mailer.ts";
import type { Message } from "./messages.ts";
import * as queries from "./queries.server.ts";
import { textOf } from "./text.ts";

export type NewMail = Message & {
  /** What the message is about; of equal ones, only the first is written. */
  dedupeKey: string;
  accountId: number;
  /** Another address than the account's. */
  toAddress?: string;
  /** Whether it opens something to whoever reads it: then its words are forgotten once the mail system has it. */
  holdsSecret?: boolean;
};

/** @returns whether it is the first about its subject */
export const enqueue = async (tx: Tx, mail: NewMail, now: Date): Promise<boolean> => {
  const { dedupeKey, accountId, holdsSecret = false, subject } = mail;
  const toAddress = mail.toAddress ?? (await queries.findAddress(tx, accountId));
  if (toAddress === null) return false;
  return queries.insertMessage(tx, {
    dedupeKey,
    accountId,
    holdsSecret,
    toAddress,
    subject,
    text: textOf(mail),
    html: htmlOf(mail),
    createdAt: now,
    dueAt: now,
  });
};

/** Of these subjects, those about which a message has been written. */
export const writtenAbout = (ctx: Pick<Context, "db">, dedupeKeys: string[]): Promise<Set<string>> =>
  queries.existingKeys(ctx.db, dedupeKeys);

/**
 * Sends what is due. A message is claimed before it is sent, so that of several processes one sends it; when that
 * process ends in between, or the mail system refuses, it is due again later, under the same Message-ID. After some days
 * of that, or when it is refused for good, it is given up: then an operator sees it, and may try again.
 */
export const sendDueMail = async (ctx: Sending, signal?: AbortSignal): Promise<{ sent: number; failed: number }> => {
  const outcome = { sent: 0, failed: 0 };
  for (let full = true; full; ) {
    const now = ctx.clock.now();
    const claimed = await queries.claimDue(ctx.db, now, after(now, claimMinutes), claimedAtOnce);
    full = claimed.length === claimedAtOnce;
    for (const [index, row] of claimed.entries()) {
      if (signal?.aborted) {
        await queries.releaseClaims(
          ctx.db,
          claimed.slice(index).map(({ id }) => id),
          now,
        );
        return outcome;
      }
      // With a slow mail system the claim may run out; what is left of it is then due again, for anybody.
      if (ctx.clock.now() > after(now, claimMinutes - longestSendMinutes)) return outcome;
      outcome[(await sendOne(ctx, row)) ? "sent" : "failed"] += 1;
    }
  }
  return outcome;
};

type Sending = Pick<Context, "db" | "clock" | "log" | "mailer" | "settings">;

/** @returns whether the mail system has taken it */
const sendOne = async (ctx: Sending, row: queries.OutboxMessage): Promise<boolean> => {
  try {
    await ctx.mailer.send(mailOf(ctx.settings.appUrl, row));
  } catch (error) {
    const now = ctx.clock.now();
    const isGivenUp = row.tries >= (error instanceof RefusedForGood ? triesWhenRefusedForGood : mostTries);
    await queries.markFailed(ctx.db, row.id, {
      dueAt: after(now, backoffMinutes(row.tries)),
      lastError: reasonOf(error),
      givenUpAt: isGivenUp ? now : null,
    });
    const event = isGivenUp ? "A message was given up" : "A message was not sent";
    ctx.log.warn(event, { message_id: row.id, tries: row.tries });
    return false;
  }
  await queries.markSent(ctx.db, row.id, ctx.clock.now(), { forget: row.holdsSecret && ctx.mailer.delivers });
  return true;
};

/** How many messages have waited to be sent for longer than they should: more than 15 minutes. */
export const countDelayedMail = (ctx: Pick<Context, "db" | "clock">): Promise<number> =>
  queries.countUnsent(ctx.db, after(ctx.clock.now(), -delayedMinutes));

export type MailboxMessage = {
  id: number;
  to: string;
  subject: string;
  text: string;
  /** Its words would open something to whoever reads them; `text` says so instead. */
  withheld: boolean;
  sentAt: Date | null;
};

/**
 * What has been written, newest first, sent or not.
 *
 * @param options.secrets whether everybody who can ask may also read what opens accounts
 */
export const listMailbox = async (
  ctx: Pick<Context, "db">,
  { secrets, limit = 500 }: { secrets: boolean; limit?: number },
): Promise<MailboxMessage[]> =>
  (await queries.listMessages(ctx.db, limit)).map(({ id, toAddress, subject, text, holdsSecret, sentAt }) => {
    const withheld = holdsSecret && !secrets;
    return { id, to: toAddress, subject, text: withheld ? withheldWords : text, withheld, sentAt };
  });

const withheldWords =
  "Not shown: this message opens an account to whoever reads it, and this service can be reached by others.";

/** A message as HTML; null: there is none, it has been forgotten, or it is withheld. */
export const readHtml = async (
  ctx: Pick<Context, "db">,
  id: number,
  { secrets }: { secrets: boolean },
): Promise<string | null> => {
  const found = await queries.findHtml(ctx.db, id);
  return !found || (found.holdsSecret && !secrets) ? null : found.html || null;
};

const delayedMinutes = 15;
const claimedAtOnce = 20;
/** Longer than sending as many messages usually takes. */
const claimMinutes = 15;
/** Longer than the mailer's time limits together. */
const longestSendMinutes = 3;
const longestBackoffMinutes = 6 * 60;

/** With the waits between them: three days. */
const mostTries = 20;
/** Some say "for good" and take it a little later. */
const triesWhenRefusedForGood = 3;

/** 1, 2, 4 … minutes, up to 6 hours. */
const backoffMinutes = (tries: number): number => Math.min(longestBackoffMinutes, 2 ** Math.min(tries - 1, 10));

const after = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * 60_000);

const mailOf = (appUrl: string, row: queries.OutboxMessage): Mail => ({
  messageId: `<outbox-${row.id}.${row.createdAt.getTime()}@${new URL(appUrl).hostname}>`,
  to: row.toAddress,
  subject: row.subject,
  text: row.text,
  html: row.html,
});

/** Without addresses, which mail systems like to repeat. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\S+@\S+/g, "…").slice(0, 500);
