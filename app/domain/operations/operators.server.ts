/** Who is an operator: decided at the machine that the service runs on, by nobody in the portal. */
import { setRole } from "../accounts/account-changes.server.ts";
import { lockAccountByEmail, lockOperators } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";

type World = Pick<Context, "db" | "clock">;

/**
 * Opens the operators' console to an account, from its next request on.
 *
 * @returns whether it was none before
 * @throws not_found
 */
export const grantOperator = (ctx: World, input: { email: string }): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const locked = await lockAccountByEmail(tx, input.email);
    if (!locked) throw notFound("Account");
    if (locked.account.role === "operator") return false;
    await setRole(locked, "operator", { operator: null, now: ctx.clock.now() });
    return true;
  });

/**
 * Closes it again, from the next request on.
 *
 * @param input.force also when nobody is left
 * @returns whether it was one before
 * @throws not_found
 * @throws conflict for the last operator
 */
export const revokeOperator = (ctx: World, input: { email: string; force: boolean }): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const operators = await lockOperators(tx);
    const locked = await lockAccountByEmail(tx, input.email);
    if (!locked) throw notFound("Account");
    if (locked.account.role !== "operator") return false;
    if (operators.every((id) => id === locked.account.id) && !input.force) throw conflict("This is the last operator");
    await setRole(locked, "holder", { operator: null, now: ctx.clock.now() });
    return true;
  });
