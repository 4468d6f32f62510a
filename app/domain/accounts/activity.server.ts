import type { Context } from "../context.ts";
import type { Caller } from "./caller.ts";
import * as queries from "./queries.server.ts";

export type Act = {
  id: number;
  /** `noun.past_tense`, for example `api_key.created`. */
  action: string;
  details: Record<string, string | number | boolean | null>;
  occurredAt: Date;
  /** Who acted on the account: its holder, somebody of ours, or the service by itself. */
  actor: "holder" | "operator" | "service";
};

/** What was done to the account, newest first. @param limit null: all of it */
export const listActivity = async (
  ctx: Pick<Context, "db">,
  caller: Caller,
  { limit }: { limit: number | null },
): Promise<Act[]> =>
  (await queries.listAudit(ctx.db, caller.account.id, limit)).map(({ actorAccountId, ...act }) => ({
    ...act,
    actor: actorAccountId === null ? "service" : actorAccountId === caller.account.id ? "holder" : "operator",
  }));

export const registeredAt = (ctx: Pick<Context, "db">, caller: Caller): Promise<Date> =>
  queries.findRegistration(ctx.db, caller.account.id);
