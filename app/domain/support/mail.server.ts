/** Who is told of what. Each message is told once to each. */
import type { Tx } from "../../platform/db.server.ts";
import type { Account } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { supportAnswered, supportArrived, supportClosed } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import * as queries from "./queries.server.ts";
import type { SupportRequest } from "./request.ts";

type Told = Pick<SupportRequest, "id" | "subject" | "topic">;

/** Everybody who may answer. */
export const notifyOperators = async (
  tx: Tx,
  { settings }: Pick<Context, "settings">,
  request: Told & { messageId: number; body: string; from: Pick<Account, "username" | "plan"> },
  now: Date,
): Promise<void> => {
  const mail = supportArrived(settings.appUrl, {
    ...request,
    username: request.from.username,
    plan: request.from.plan,
  });
  for (const accountId of await queries.operatorIds(tx)) {
    await enqueue(tx, { ...mail, accountId, dedupeKey: `support-arrived:${request.messageId}:${accountId}` }, now);
  }
};

/** The holder, with the answer's words. */
export const notifyAnswered = async (
  tx: Tx,
  { settings }: Pick<Context, "settings">,
  request: Told & { accountId: number; messageId: number; body: string; closed: boolean },
  now: Date,
): Promise<void> => {
  const { accountId, messageId } = request;
  const mail = supportAnswered(settings.appUrl, request);
  await enqueue(tx, { ...mail, accountId, dedupeKey: `support-answered:${messageId}` }, now);
};

/** The holder, of a request that we closed without a word. */
export const notifyClosed = async (
  tx: Tx,
  { settings }: Pick<Context, "settings">,
  request: Told & { accountId: number },
  now: Date,
): Promise<void> => {
  const { accountId, id } = request;
  const mail = supportClosed(settings.appUrl, request);
  await enqueue(tx, { ...mail, accountId, dedupeKey: `support-closed:${id}:${now.getTime()}` }, now);
};
