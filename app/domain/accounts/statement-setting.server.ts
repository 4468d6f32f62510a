/** Whether the account holder wants the statement of each month by e-mail. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { recordAudit } from "./audit.server.ts";
import type { Caller } from "./caller.ts";
import * as queries from "./statement-setting-queries.server.ts";

export const wantsStatements = async (ctx: Pick<Context, "db">, caller: Caller): Promise<boolean> =>
  (await queries.findStatementsSince(ctx.db, caller.account.id)) !== null;

/** The first statement by e-mail is that of the month in which it is turned on. */
export const setStatementsByMail = (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  input: { byMail: boolean },
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    if (!(await queries.setStatementsSince(tx, caller.account.id, input.byMail ? now : null))) return;
    await recordAudit(tx, caller, "account.statements_set", now, { by_mail: input.byMail });
  });

/** Open accounts that want the statement of a month which ends at `end`. */
export const accountsWantingStatements = (db: Tx, end: Date): Promise<number[]> => queries.wantingStatements(db, end);
