/** Changes of plans whose log records have not been moved yet. `changePlan` notes them; the usage module moves the records. */
import type { Context } from "../context.ts";
import * as queries from "./plan-change-queries.server.ts";

export const notedPlanChanges = (ctx: Pick<Context, "db">): Promise<{ accountId: number; changedAt: Date }[]> =>
  queries.planChanges(ctx.db);

/** Unless the plan has changed again. */
export const forgetPlanChange = async (
  ctx: Pick<Context, "db">,
  { accountId, changedAt }: { accountId: number; changedAt: Date },
): Promise<void> => {
  await queries.forgetPlanChange(ctx.db, accountId, changedAt);
};
