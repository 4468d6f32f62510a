import { recordServiceAudit } from "../accounts/audit.server.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { orderOfQuote } from "../payments/orders.server.ts";
import { notifyEnded } from "./mail.server.ts";
import * as queries from "./queries.server.ts";

const batchSize = 200;

/**
 * Marks quotes as expired that were not paid in time, and mails their holders. The state itself follows from the
 * date. While an order is open for the quote, it waits.
 *
 * @returns how many expired
 */
export const expireQuotes = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  signal?: AbortSignal,
): Promise<number> => {
  let expired = 0;
  for (const { id, accountId } of await queries.overdueQuotes(ctx.db, dayOf(ctx.clock.now()), batchSize)) {
    if (signal?.aborted) break;
    if (await expire(ctx, id, accountId)) expired += 1;
  }
  return expired;
};

const expire = (ctx: Pick<Context, "db" | "clock" | "settings">, id: number, accountId: number): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await lockAccount(tx, accountId);
    const quote = await queries.lockQuote(tx, id, dayOf(now));
    if (quote?.state !== "expired" || quote.endedAt !== null || (await orderOfQuote(tx, id))) return false;
    await queries.setQuote(tx, id, { status: "expired", endedAt: now });
    await recordServiceAudit(tx, accountId, "quote.expired", now, { quote_id: id });
    await notifyEnded(tx, ctx, quote, { as: "expired", note: "" }, now);
    return true;
  });
