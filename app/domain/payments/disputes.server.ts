import type { Context } from "../context.ts";
import * as queries from "./queries.server.ts";

/** A disputed payment suspends the account that made it: no data until an operator has looked. @spec Errors (403) */
export const suspendPayerOf = async (ctx: Pick<Context, "db" | "clock">, paymentIntentId: string): Promise<void> => {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const accountId = await queries.markDisputed(tx, paymentIntentId, now);
    if (accountId !== null) await queries.suspendAccount(tx, accountId, now);
  });
};
