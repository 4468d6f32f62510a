import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { currency } from "../money.ts";
import * as queries from "./queries.server.ts";

/** Amounts are net of refunds and chargebacks. `recentCents` covers the payments since a given instant. */
export type Spend = { totalCents: number; recentCents: number; currency: string };

/** What the account has paid, less refunds and chargebacks. */
export const spendOf = async (ctx: Pick<Context, "db">, caller: Caller, input: { since: Date }): Promise<Spend> => ({
  ...(await queries.sumPayments(ctx.db, caller.account.id, input.since)),
  currency,
});
