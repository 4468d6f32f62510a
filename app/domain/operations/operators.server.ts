/** Grants and revokes the operator role. Only the command line uses it, never the portal. */
import { setRole } from "../accounts/account-changes.server.ts";
import { lockAccountByEmail } from "../accounts/lock.server.ts";
import { lockOperators } from "../accounts/operators.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";

type World = Pick<Context, "db" | "clock">;

/**
 * Grants the operator role, from the account's next request on.
 *
 * @returns false if the account is an operator already
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
 * Revokes the operator role, from the account's next request on.
 *
 * @param input.force also for the last operator
 * @returns false if the account is not an operator
 * @throws not_found
 * @throws conflict for the last operator, unless forced
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
