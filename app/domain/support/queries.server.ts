import { and, asc, desc, eq, ne } from "drizzle-orm";
import { accounts, supportMessages, supportRequests } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { SupportMessage, SupportRequest, SupportStatus } from "./request.ts";
import { requestColumns } from "./request-columns.server.ts";

export const insertRequest = async (tx: Tx, row: typeof supportRequests.$inferInsert): Promise<number> => {
  const [request] = await tx.insert(supportRequests).values(row).returning({ id: supportRequests.id });
  if (!request) throw new Error("The insert returned no request");
  return request.id;
};

export const insertMessage = async (tx: Tx, row: typeof supportMessages.$inferInsert): Promise<number> => {
  const [message] = await tx.insert(supportMessages).values(row).returning({ id: supportMessages.id });
  if (!message) throw new Error("The insert returned no message");
  return message.id;
};

/** Newest first. */
export const listOfAccount = (
  db: Tx,
  accountId: number,
  status: SupportStatus | undefined,
): Promise<SupportRequest[]> =>
  db
    .select(requestColumns)
    .from(supportRequests)
    .where(and(eq(supportRequests.accountId, accountId), status && eq(supportRequests.status, status)))
    .orderBy(desc(supportRequests.updatedAt), desc(supportRequests.id));

const ofAccount = (accountId: number, id: number) =>
  and(eq(supportRequests.accountId, accountId), eq(supportRequests.id, id));

export const findOfAccount = async (db: Tx, accountId: number, id: number): Promise<SupportRequest | null> => {
  const [request] = await db.select(requestColumns).from(supportRequests).where(ofAccount(accountId, id));
  return request ?? null;
};

export const findOfAccountLocked = async (tx: Tx, accountId: number, id: number): Promise<SupportRequest | null> => {
  const [request] = await tx.select(requestColumns).from(supportRequests).where(ofAccount(accountId, id)).for("update");
  return request ?? null;
};

export const findUnclosedPlanRequest = async (db: Tx, accountId: number): Promise<SupportRequest | null> => {
  const [request] = await db
    .select(requestColumns)
    .from(supportRequests)
    .where(
      and(
        eq(supportRequests.accountId, accountId),
        eq(supportRequests.topic, "plan"),
        ne(supportRequests.status, "closed"),
      ),
    );
  return request ?? null;
};

/** Oldest first. */
export const listMessages = (db: Tx, requestId: number): Promise<SupportMessage[]> =>
  db
    .select({
      id: supportMessages.id,
      byOperator: supportMessages.byOperator,
      author: accounts.username,
      body: supportMessages.body,
      createdAt: supportMessages.createdAt,
    })
    .from(supportMessages)
    .leftJoin(accounts, eq(accounts.id, supportMessages.authorAccountId))
    .where(eq(supportMessages.requestId, requestId))
    .orderBy(asc(supportMessages.id));

/** Locks the account's row, so that concurrent requests cannot exceed the limit. */
export const countUnclosedLocked = async (tx: Tx, accountId: number): Promise<number> => {
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  return tx.$count(
    supportRequests,
    and(eq(supportRequests.accountId, accountId), ne(supportRequests.status, "closed")),
  );
};

export const setStatus = (tx: Tx, id: number, status: SupportStatus, now: Date) =>
  tx.update(supportRequests).set({ status, updatedAt: now }).where(eq(supportRequests.id, id));
