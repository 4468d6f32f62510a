/**
 * The transactional outbox for mail: messages are stored in the transaction that causes them and sent later, so nothing
 * that was rolled back is sent, and nothing that was committed is lost.
 */
import type { Tx } from "../../platform/db.server.ts";
import { mailSent } from "../../platform/metrics/metrics.ts";
import { traced } from "../../platform/tracing.ts";
import type { Context } from "../context.ts";
import { htmlOf } from "./html.ts";
import { type Mail, PermanentRejection } from "./mailer.ts";
import type { Message } from "./messages.ts";
import { delayedMinutes, maxAttempts, maxPermanentRejections } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { textOf } from "./text.ts";

export type NewMail = Message & {
  /** Identifies the message: only the first one with the same key is stored. */
  dedupeKey: string;
  accountId: number;
  /** Instead of the account's address. */
  toAddress?: string;
  /** Whether the message contains a secret, such as a reset link. Its text is erased after delivery. */
  holdsSecret?: boolean;
};

/** @returns false when a message with this dedupe key exists already */
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
    unsubscribeUrl: mail.unsubscribe?.url ?? null,
    createdAt: now,
    dueAt: now,
  });
};

/** The dedupe keys, of those given, for which a message exists. */
export const writtenAbout = (ctx: Pick<Context, "db">, dedupeKeys: string[]): Promise<Set<string>> =>
  queries.existingKeys(ctx.db, dedupeKeys);

/**
 * Sends due messages. A message is claimed first, so that only one of several processes sends it. If that process dies or
 * the mail system refuses, the message is retried with backoff under the same Message-ID. After `maxAttempts`, or several
 * permanent rejections, it is given up; an operator can see it and retry.
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
      // With a slow mail system the claim may expire; the remaining messages are then due again for any process.
      if (ctx.clock.now() > after(now, claimMinutes - longestSendMinutes)) return outcome;
      outcome[(await sendOne(ctx, row)) ? "sent" : "failed"] += 1;
    }
  }
  return outcome;
};

type Sending = Pick<Context, "db" | "clock" | "log" | "mailer" | "settings">;

/** @returns whether the mail system accepted it */
const sendOne = async (ctx: Sending, row: queries.OutboxMessage): Promise<boolean> => {
  try {
    await traced({ name: "send mail", kind: "client", attributes: { "message.id": row.id } }, () =>
      ctx.mailer.send(mailOf(ctx.settings.appUrl, row)),
    );
  } catch (error) {
    const now = ctx.clock.now();
    const isGivenUp = row.tries >= (error instanceof PermanentRejection ? maxPermanentRejections : maxAttempts);
    await queries.markFailed(ctx.db, row.id, {
      dueAt: after(now, backoffMinutes(row.tries)),
      lastError: reasonOf(error),
      givenUpAt: isGivenUp ? now : null,
    });
    mailSent.add({ outcome: isGivenUp ? "given_up" : "failed" });
    const event = isGivenUp ? "A message was given up" : "A message was not sent";
    ctx.log.warn(event, { message_id: row.id, tries: row.tries });
    return false;
  }
  mailSent.add({ outcome: "sent" });
  await queries.markSent(ctx.db, row.id, ctx.clock.now(), { forget: row.holdsSecret && ctx.mailer.delivers });
  return true;
};

/** How many messages have been waiting for longer than `delayedMinutes`. */
export const countDelayedMail = (ctx: Pick<Context, "db" | "clock">): Promise<number> =>
  queries.countUnsent(ctx.db, after(ctx.clock.now(), -delayedMinutes));

export type MailboxMessage = {
  id: number;
  to: string;
  subject: string;
  text: string;
  /** The message contains a secret; `text` says so instead. */
  withheld: boolean;
  sentAt: Date | null;
};

/**
 * All messages, sent or not, newest first.
 *
 * @param options.secrets whether the caller may read messages that contain secrets
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

/** A message as HTML. Null if there is none, its text was erased, or it is withheld. */
export const readHtml = async (
  ctx: Pick<Context, "db">,
  id: number,
  { secrets }: { secrets: boolean },
): Promise<string | null> => {
  const found = await queries.findHtml(ctx.db, id);
  return !found || (found.holdsSecret && !secrets) ? null : found.html || null;
};

const claimedAtOnce = 20;
/** Longer than a batch usually takes. */
const claimMinutes = 15;
/** Longer than the mailer's timeouts combined. */
const longestSendMinutes = 3;
const longestBackoffMinutes = 6 * 60;

/** Exponential: 1, 2, 4 … minutes, capped at 6 hours. */
const backoffMinutes = (tries: number): number => Math.min(longestBackoffMinutes, 2 ** Math.min(tries - 1, 10));

const after = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * 60_000);

const mailOf = (appUrl: string, row: queries.OutboxMessage): Mail => ({
  messageId: `<outbox-${row.id}.${row.createdAt.getTime()}@${new URL(appUrl).hostname}>`,
  to: row.toAddress,
  subject: row.subject,
  text: row.text,
  html: row.html,
  unsubscribeUrl: row.unsubscribeUrl,
});

/** The error message without e-mail addresses, which mail systems tend to repeat. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\S+@\S+/g, "…").slice(0, 500);
