import { eq, sql } from "drizzle-orm";
import { accounts } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Role } from "../accounts/caller.ts";

export const lockByEmail = async (tx: Tx, email: string) => {
  const [row] = await tx
    .select({ id: accounts.id, role: accounts.role })
    .from(accounts)
    .where(eq(sql`lower(${accounts.email})`, email.toLowerCase()))
    .for("no key update");
  return row ?? null;
};

export const setRole = (tx: Tx, accountId: number, role: Role) =>
  tx.update(accounts).set({ role }).where(eq(accounts.id, accountId));
