/** Who is an operator: decided at the machine that the service runs on, by nobody in the portal. */
import { recordServiceAudit } from "../accounts/audit.server.ts";
import { lockOperators } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";
import * as queries from "./operator-queries.server.ts";

type World = Pick<Context, "db" | "clock">;

/**
 * Opens the operators' console to an account, from its next request on.
 *
 * @returns whether it was none before
 * @throws not_found
 */
export const grantOperator = (ctx: World, input: { email: string }): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const account = await queries.lockByEmail(tx, input.email);
    if (!account) throw notFound("Account");
    if (account.role === "operator") return false;
    await queries.setRole(tx, account.id, "operator");
    await recordServiceAudit(tx, account.id, "operator.granted", ctx.clock.now());
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
    const account = await queries.lockByEmail(tx, input.email);
    if (!account) throw notFound("Account");
    if (account.role !== "operator") return false;
    if (operators.every((id) => id === account.id) && !input.force) throw conflict("This is the last operator");
    await queries.setRole(tx, account.id, "holder");
    await recordServiceAudit(tx, account.id, "operator.revoked", ctx.clock.now());
    return true;
  });
