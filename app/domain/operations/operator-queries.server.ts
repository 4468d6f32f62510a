import { and, asc, eq, sql } from "drizzle-orm";
import { accounts } from "../../../drizzle/schema.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Role } from "../accounts/caller.ts";

export const lockByEmail = async (tx: Tx, email: string) => {
  const [row] = await tx
    .select({ id: accounts.id, role: accounts.role })
    .from(accounts)
    .where(eq(sql`lower(${accounts.email})`, email.toLowerCase()))
    .for("update");
  return row ?? null;
};

/** All of them, so that of two revocations at once the second sees the first. One who is suspended is none. */
export const lockOperators = (tx: Tx) =>
  tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.role, "operator"), eq(accounts.standing, "good")))
    .orderBy(asc(accounts.id))
    .for("update");

export const setRole = (tx: Tx, accountId: number, role: Role) =>
  tx.update(accounts).set({ role }).where(eq(accounts.id, accountId));
