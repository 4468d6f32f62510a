/** Mails about requests. Each recipient gets one mail per message. */
import type { Tx } from "../../platform/db.server.ts";
import type { Account } from "../accounts/caller.ts";
import { operatorIds } from "../accounts/operators.server.ts";
import type { Context } from "../context.ts";
import { supportAnswered, supportArrived, supportClosed } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import type { SupportRequest } from "./request.ts";

type RequestSummary = Pick<SupportRequest, "id" | "subject" | "topic">;

/** To all operators. */
export const notifyOperators = async (
  tx: Tx,
  { settings }: Pick<Context, "settings">,
  request: RequestSummary & { messageId: number; body: string; from: Pick<Account, "username" | "plan"> },
  now: Date,
): Promise<void> => {
  const mail = supportArrived(settings.appUrl, {
    ...request,
    username: request.from.username,
    plan: request.from.plan,
  });
  for (const accountId of await operatorIds(tx)) {
    await enqueue(tx, { ...mail, accountId, dedupeKey: `support-arrived:${request.messageId}:${accountId}` }, now);
  }
};

/** To the account holder, with the text of the answer. */
export const notifyAnswered = async (
  tx: Tx,
  { settings }: Pick<Context, "settings">,
  request: RequestSummary & { accountId: number; messageId: number; body: string; closed: boolean },
  now: Date,
): Promise<void> => {
  const { accountId, messageId } = request;
  const mail = supportAnswered(settings.appUrl, request);
  await enqueue(tx, { ...mail, accountId, dedupeKey: `support-answered:${messageId}` }, now);
};

/** To the account holder, when a request is closed without an answer. */
export const notifyClosed = async (
  tx: Tx,
  { settings }: Pick<Context, "settings">,
  request: RequestSummary & { accountId: number },
  now: Date,
): Promise<void> => {
  const { accountId, id } = request;
  const mail = supportClosed(settings.appUrl, request);
  await enqueue(tx, { ...mail, accountId, dedupeKey: `support-closed:${id}:${now.getTime()}` }, now);
};
