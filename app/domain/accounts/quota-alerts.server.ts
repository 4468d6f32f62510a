/** Whether the account holder wants a mail when 80% and 100% of an hour's requests are used. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { recordAudit } from "./audit.server.ts";
import type { Caller } from "./caller.ts";
import * as queries from "./quota-alert-queries.server.ts";

export const wantsQuotaAlerts = (ctx: Pick<Context, "db">, caller: Caller): Promise<boolean> =>
  queries.findQuotaAlerts(ctx.db, caller.account.id);

/** Of an account that is not the caller's: whose requests are being recorded. */
export const accountWantsQuotaAlerts = (tx: Tx, accountId: number): Promise<boolean> =>
  queries.findQuotaAlerts(tx, accountId);

export const setQuotaAlertsByMail = (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  input: { byMail: boolean },
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    if (!(await queries.setQuotaAlerts(tx, caller.account.id, input.byMail))) return;
    await recordAudit(tx, caller, "account.quota_alerts_set", ctx.clock.now(), { by_mail: input.byMail });
  });
