/** The outbox, for operators: what waits, what was given up, what was sent. What a message says stays between it and its reader. */
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

/** Those that wait oldest first, the others newest first. @throws invalid for a cursor of another list */
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
  /** Of those, the ones that have been tried in vain. */
  failing: number;
  /** When the one was written that has waited longest. */
  oldest: Date | null;
  givenUp: number;
};

export const countMail = (ctx: Pick<Context, "db">, _operator: OperatorCaller): Promise<MailCounts> =>
  queries.mailCounts(ctx.db);

type World = Pick<Context, "db" | "clock">;

/**
 * A message that waits, or was given up, is sent with the next minute's mail.
 *
 * @throws not_found for one that has been sent
 */
export const retryMail = (ctx: World, operator: OperatorCaller, input: { id: number }): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const message = await outbox.makeMailDue(tx, input.id, now);
    if (!message) throw notFound("Message");
    await recordOperatorAudit(tx, operator, message.accountId, "mail.retried", now, { message_id: input.id });
  });

/**
 * A message that waits is not tried any more.
 *
 * @throws not_found for one that has been sent, or given up already
 */
export const giveUpMail = (ctx: World, operator: OperatorCaller, input: { id: number }): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const message = await outbox.giveUpMail(tx, input.id, now);
    if (!message) throw notFound("Message");
    await recordOperatorAudit(tx, operator, message.accountId, "mail.given_up", now, { message_id: input.id });
  });
