import { and, asc, desc, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { outboxMessages } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export type MailState = "waiting" | "given_up" | "sent";

const isWaiting = and(isNull(outboxMessages.sentAt), isNull(outboxMessages.givenUpAt));
const isGivenUp = and(isNull(outboxMessages.sentAt), isNotNull(outboxMessages.givenUpAt));

/** Without the text, which only the recipient may read. */
const columns = {
  id: outboxMessages.id,
  accountId: outboxMessages.accountId,
  toAddress: outboxMessages.toAddress,
  subject: outboxMessages.subject,
  createdAt: outboxMessages.createdAt,
  dueAt: outboxMessages.dueAt,
  tries: outboxMessages.tries,
  sentAt: outboxMessages.sentAt,
  givenUpAt: outboxMessages.givenUpAt,
  lastError: outboxMessages.lastError,
};

type Page = { limit: number; after: number | null };

/** One more than `limit`, after `after`. Waiting messages oldest first, the others newest first. */
export const pageMail = (db: Tx, state: MailState, { limit, after }: Page) => {
  const [belongs, oldestFirst] = {
    waiting: [isWaiting, true] as const,
    given_up: [isGivenUp, false] as const,
    sent: [isNotNull(outboxMessages.sentAt), false] as const,
  }[state];
  const { id } = outboxMessages;
  return db
    .select(columns)
    .from(outboxMessages)
    .where(and(belongs, after === null ? undefined : oldestFirst ? gt(id, after) : lt(id, after)))
    .orderBy(oldestFirst ? asc(id) : desc(id))
    .limit(limit + 1);
};

/** `oldest` is the creation time of the longest waiting message. */
export const mailCounts = async (db: Tx) => {
  const [waiting] = await db
    .select({
      waiting: sql<number>`count(*)::int`,
      failing: sql<number>`(count(*) filter (where ${isNotNull(outboxMessages.lastError)}))::int`,
      oldest: sql`min(${outboxMessages.createdAt})`.mapWith(outboxMessages.createdAt),
    })
    .from(outboxMessages)
    .where(isWaiting);
  return {
    waiting: waiting?.waiting ?? 0,
    failing: waiting?.failing ?? 0,
    oldest: waiting?.oldest ?? null,
    givenUp: await db.$count(outboxMessages, isGivenUp),
  };
};
