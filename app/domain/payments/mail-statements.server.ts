import { accountsWantingStatements } from "../accounts/statement-setting.server.ts";
import { billingAddressOf } from "../billing-details/manage.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { monthlyStatement } from "../notifications/messages.ts";
import { enqueue, writtenAbout } from "../notifications/outbox.server.ts";
import { boundsOf, monthBefore } from "./statement.ts";
import { statementOf } from "./statements.server.ts";

/**
 * Writes the statement of the month before to every account that wanted it when that month ended, once. Months without
 * entries are left out.
 *
 * @returns how many were written
 */
export const mailStatements = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  signal?: AbortSignal,
): Promise<number> => {
  const now = ctx.clock.now();
  const month = monthBefore(dayOf(now));
  const keyOf = (accountId: number) => `statement:${accountId}:${month}`;
  const wanting = await accountsWantingStatements(ctx.db, boundsOf(month).end);
  const written = await writtenAbout(ctx, wanting.map(keyOf));
  let count = 0;
  for (const accountId of wanting) {
    if (signal?.aborted) break;
    if (written.has(keyOf(accountId))) continue;
    const statement = await statementOf(ctx, accountId, month, true);
    if (statement.entries.length === 0) continue;
    const mail = monthlyStatement(ctx.settings.appUrl, statement);
    const toAddress = await billingAddressOf(ctx.db, accountId);
    if (await enqueue(ctx.db, { ...mail, ...toAddress, dedupeKey: keyOf(accountId), accountId }, now)) count += 1;
  }
  return count;
};
