import { and, eq, gt, lte, sql } from "drizzle-orm";
import { accounts, auditLog, sessions } from "../../../drizzle/schema.ts";
import type { Tx } from "../../platform/db.server.ts";
import { accountColumns } from "./account-columns.server.ts";
import type { Account } from "./caller.ts";

export const insertAccount = async (tx: Tx, row: typeof accounts.$inferInsert): Promise<Account> => {
  const [account] = await tx.insert(accounts).values(row).returning(accountColumns);
  if (!account) throw new Error("The insert returned no account");
  return account;
};

export const findByEmail = async (db: Tx, email: string): Promise<(Account & { passwordHash: string }) | null> => {
  const [row] = await db
    .select({ ...accountColumns, passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(sql`lower(${accounts.email})`, email.toLowerCase()));
  return row ?? null;
};

export const insertSession = (db: Tx, row: typeof sessions.$inferInsert) => db.insert(sessions).values(row);

export const findSession = async (db: Tx, id: string, kind: "portal" | "bearer", now: Date) => {
  const [row] = await db
    .select({ session: sessions, account: accountColumns })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(and(eq(sessions.id, id), eq(sessions.kind, kind), gt(sessions.expiresAt, now)));
  return row ?? null;
};

export const listSessions = (db: Tx, accountId: number) =>
  db.select().from(sessions).where(eq(sessions.accountId, accountId));

export const moveSessionExpiry = (db: Tx, id: string, expiresAt: Date) =>
  db.update(sessions).set({ expiresAt }).where(eq(sessions.id, id));

export const deleteSession = async (db: Tx, id: string): Promise<boolean> =>
  (await db.delete(sessions).where(eq(sessions.id, id)).returning({ id: sessions.id })).length > 0;

export const deleteSessionsOf = (db: Tx, accountId: number) =>
  db.delete(sessions).where(eq(sessions.accountId, accountId));

export const deleteSessionsExpiredBy = (db: Tx, now: Date) => db.delete(sessions).where(lte(sessions.expiresAt, now));

export const insertAudit = (db: Tx, row: typeof auditLog.$inferInsert) => db.insert(auditLog).values(row);
