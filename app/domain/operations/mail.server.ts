/** The outbox for operators: waiting, given-up and sent messages, without their text. */
import { z } from "zod";
import { recordOperatorAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import * as outbox from "../notifications/outbox-changes.server.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import * as queries from "./mail-queries.server.ts";

export const mailStates = ["waiting", "given_up", "sent"] as const satisfies queries.MailState[];

export type QueuedMail = Awaited<ReturnType<typeof queries.pageMail>>[number];

/** Waiting messages oldest first, the others newest first. @throws invalid for a cursor of another list */
export const listMail = async (
  ctx: Pick<Context, "db">,
  _operator: OperatorCaller,
  filter: { state: queries.MailState },
  page: PageRequest,
): Promise<Page<QueuedMail>> => {
  const [after] = mailCursor.read(page.cursor) ?? [null];
  const found = await queries.pageMail(ctx.db, filter.state, { limit: page.limit, after });
  return pageOf(found, page.limit, ({ id }) => mailCursor.write([id]));
};

const mailCursor = cursorOf(z.tuple([cursorId]));

export type MailCounts = {
  waiting: number;
  /** Waiting messages with at least one failed attempt. */
  failing: number;
  /** The creation time of the longest waiting message. */
  oldest: Date | null;
  givenUp: number;
};

export const countMail = (ctx: Pick<Context, "db">, _operator: OperatorCaller): Promise<MailCounts> =>
  queries.mailCounts(ctx.db);

type World = Pick<Context, "db" | "clock">;

/**
 * Makes a waiting or given-up message due at once, with all its attempts.
 *
 * @throws not_found if it has been sent
 */
export const retryMail = (ctx: World, operator: OperatorCaller, input: { id: number }): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const message = await outbox.makeMailDue(tx, input.id, now);
    if (!message) throw notFound("Message");
    await recordOperatorAudit(tx, operator, message.accountId, "mail.retried", now, { message_id: input.id });
  });

/**
 * Stops the attempts of a waiting message.
 *
 * @throws not_found if it has been sent or given up
 */
export const giveUpMail = (ctx: World, operator: OperatorCaller, input: { id: number }): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const message = await outbox.giveUpMail(tx, input.id, now);
    if (!message) throw notFound("Message");
    await recordOperatorAudit(tx, operator, message.accountId, "mail.given_up", now, { message_id: input.id });
  });
