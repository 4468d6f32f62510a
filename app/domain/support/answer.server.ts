/** Operators read, answer and close requests. Each action is logged in the account of the request. */
import { z } from "zod";
import type { Tx } from "../../platform/db.server.ts";
import { recordOperatorAudit } from "../accounts/audit.server.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import { notifyAnswered, notifyClosed } from "./mail.server.ts";
import * as queries from "./operator-queries.server.ts";
import * as ownQueries from "./queries.server.ts";
import type { Conversation, SupportRequest } from "./request.ts";
import type { RequestFilter } from "./request-filter.ts";

export type RequestRow = Omit<queries.RequestRow, "rank" | "place">;

/** Open requests first, longest waiting first, then the others, newest first. @throws invalid for a foreign cursor */
export const findRequests = async (
  ctx: Pick<Context, "db">,
  _operator: OperatorCaller,
  filter: RequestFilter,
  page: PageRequest,
): Promise<Page<RequestRow>> => {
  const after = requestCursor.read(page.cursor);
  const found = await queries.searchRequests(ctx.db, filter, { limit: page.limit, after });
  const { rows, nextCursor } = pageOf(found, page.limit, ({ rank, place, id }) =>
    requestCursor.write([rank, place, id]),
  );
  return { rows: rows.map(({ rank: _, place: __, ...row }) => row), nextCursor };
};

const requestCursor = cursorOf(z.tuple([z.int().min(0).max(1), z.int(), cursorId]));

export type OperatorsView = Conversation & { account: NonNullable<Awaited<ReturnType<typeof queries.findAsker>>> };

/** A conversation with its account. @throws not_found */
export const readRequest = async (
  ctx: Pick<Context, "db">,
  _operator: OperatorCaller,
  input: { id: number },
): Promise<OperatorsView> => {
  const [request, account, messages] = await Promise.all([
    queries.findRequest(ctx.db, input.id),
    queries.findAsker(ctx.db, input.id),
    ownQueries.listMessages(ctx.db, input.id),
  ]);
  if (!request || !account) throw notFound("Support request");
  return { request, account, messages };
};

/** The account's open request for another plan, or null. */
export const planRequestOf = (
  ctx: Pick<Context, "db">,
  _operator: OperatorCaller,
  input: { accountId: number },
): Promise<SupportRequest | null> => ownQueries.findUnclosedPlanRequest(ctx.db, input.accountId);

/**
 * Answers a request, also by e-mail.
 *
 * @param input.lastMessageId the newest message that the operator has read
 * @throws not_found
 * @throws conflict when there are newer messages
 */
export const answer = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  operator: OperatorCaller,
  input: { id: number; message: string; lastMessageId: number; close: boolean },
): Promise<{ messageId: number }> => {
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const { accountId, ...request } = await lockedRequest(tx, input.id);
    await refuseUnread(tx, input, "Read it above, then send your reply again");
    const written = { requestId: request.id, authorAccountId: operator.account.id, byOperator: true, createdAt: now };
    const messageId = await ownQueries.insertMessage(tx, { ...written, body: input.message });
    const details = { support_request_id: request.id };
    await ownQueries.setStatus(tx, request.id, input.close ? "closed" : "answered", now);
    await recordOperatorAudit(tx, operator, accountId, "support_request.answered", now, details);
    if (input.close) await recordOperatorAudit(tx, operator, accountId, "support_request.closed", now, details);
    const mailed = { ...request, accountId, messageId, body: input.message, closed: input.close };
    await notifyAnswered(tx, ctx, mailed, now);
    return { messageId };
  });
};

/**
 * Closes a request without an answer and notifies the account holder. Idempotent.
 *
 * @param input.lastMessageId the newest message that the operator has read
 * @throws not_found
 * @throws conflict when there are newer messages
 */
export const closeAsOperator = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  operator: OperatorCaller,
  input: { id: number; lastMessageId: number },
): Promise<void> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const request = await lockedRequest(tx, input.id);
    if (request.status === "closed") return;
    await refuseUnread(tx, input, "Read it below, then close the request");
    await ownQueries.setStatus(tx, request.id, "closed", now);
    const details = { support_request_id: request.id };
    await recordOperatorAudit(tx, operator, request.accountId, "support_request.closed", now, details);
    await notifyClosed(tx, ctx, request, now);
  });
};

const refuseUnread = async (tx: Tx, input: { id: number; lastMessageId: number }, then: string): Promise<void> => {
  if ((await queries.lastMessageId(tx, input.id)) > input.lastMessageId) {
    throw conflict(`Someone has written in the meantime. ${then}`);
  }
};

const lockedRequest = async (tx: Tx, id: number) => {
  const request = await queries.lockRequest(tx, id);
  if (!request) throw notFound("Support request");
  return request;
};
