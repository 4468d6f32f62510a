/** Holders open, continue and close requests. Requests of other accounts are not found. @spec What the service does */
import { type Tx, violatesConstraint } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { supportMessagesOf } from "../accounts/throttle.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";
import { notifyOperators } from "./mail.server.ts";
import * as queries from "./queries.server.ts";
import {
  type Conversation,
  firstMessage,
  maxUnclosedRequests,
  type NewRequest,
  type SupportRequest,
  type SupportStatus,
} from "./request.ts";

type World = Pick<Context, "db" | "clock" | "rateLimiter" | "settings">;

/**
 * @throws rate_limited after too many messages in an hour
 * @throws conflict when `maxUnclosedRequests` are not closed, or another request for a plan is not
 */
export const openRequest = async (
  ctx: World,
  caller: Caller,
  input: NewRequest & { requestedPlan?: SupportRequest["requestedPlan"] },
): Promise<{ id: number }> => {
  await supportMessagesOf(ctx, caller.account.id).count();
  const now = ctx.clock.now();
  const { topic, subject, requestedPlan = null } = input;
  const opened = ctx.db.transaction(async (tx) => {
    await refuseTooMany(tx, caller);
    const id = await queries.insertRequest(tx, {
      accountId: caller.account.id,
      topic,
      subject,
      requestedPlan,
      createdAt: now,
      updatedAt: now,
    });
    const message = { requestId: id, authorAccountId: caller.account.id, byOperator: false, createdAt: now };
    const messageId = await queries.insertMessage(tx, { ...message, body: firstMessage(input) });
    await recordAudit(tx, caller, "support_request.opened", now, { support_request_id: id, topic });
    await notifyOperators(
      tx,
      ctx,
      { id, messageId, subject, topic, body: firstMessage(input), from: caller.account },
      now,
    );
    return { id };
  });
  return opened.catch(refuseAnotherPlanRequest);
};

/** Newest first. @param status undefined: any status */
export const listRequests = (
  ctx: Pick<Context, "db">,
  caller: Caller,
  input: { status?: SupportStatus | undefined } = {},
): Promise<SupportRequest[]> => queries.listOfAccount(ctx.db, caller.account.id, input.status);

/** Oldest message first. @throws not_found */
export const getConversation = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  input: { id: number },
): Promise<Conversation> => {
  const request = await queries.findOfAccount(ctx.db, caller.account.id, input.id);
  if (!request) throw notFound("Support request");
  return { request, messages: await queries.listMessages(ctx.db, request.id) };
};

/**
 * Adds a message of the account holder. The request becomes open, even if it was closed.
 *
 * @throws not_found
 * @throws rate_limited
 * @throws conflict when reopening it would exceed the limit
 */
export const reply = async (
  ctx: World,
  caller: Caller,
  input: { id: number; message: string },
): Promise<{ messageId: number }> => {
  await supportMessagesOf(ctx, caller.account.id).count();
  const now = ctx.clock.now();
  const replied = ctx.db.transaction(async (tx) => {
    const before = await queries.findOfAccountLocked(tx, caller.account.id, input.id);
    if (!before) throw notFound("Support request");
    if (before.status === "closed") await refuseTooMany(tx, caller);
    await queries.setStatus(tx, before.id, "open", now);
    const message = { requestId: before.id, authorAccountId: caller.account.id, byOperator: false, createdAt: now };
    const messageId = await queries.insertMessage(tx, { ...message, body: input.message });
    const action = before.status === "closed" ? "support_request.reopened" : "support_request.replied";
    await recordAudit(tx, caller, action, now, { support_request_id: before.id });
    await notifyOperators(tx, ctx, { ...before, messageId, body: input.message, from: caller.account }, now);
    return { messageId };
  });
  return replied.catch(refuseAnotherPlanRequest);
};

/** Closes a request. Idempotent. @throws not_found */
export const closeRequest = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  input: { id: number },
): Promise<void> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const before = await queries.findOfAccountLocked(tx, caller.account.id, input.id);
    if (!before) throw notFound("Support request");
    if (before.status === "closed") return;
    await queries.setStatus(tx, before.id, "closed", now);
    await recordAudit(tx, caller, "support_request.closed", now, { support_request_id: before.id });
  });
};

const refuseTooMany = async (tx: Tx, caller: Caller): Promise<void> => {
  if ((await queries.countUnclosedLocked(tx, caller.account.id)) < maxUnclosedRequests) return;
  throw conflict(
    `You have ${maxUnclosedRequests} requests that are not closed. Close one that is resolved, or reply to an existing one`,
  );
};

/** Translates the unique constraint that a concurrent request has violated. */
const refuseAnotherPlanRequest = (error: unknown): never => {
  if (!violatesConstraint(error, "support_requests_one_plan_key")) throw error;
  throw conflict("You have already requested another plan. Reply to that request, or close it first");
};
