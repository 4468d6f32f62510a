import { z } from "zod";
import type { Context } from "../context.ts";
import type { Day } from "../dates.ts";
import { cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import type { Action, AuditDetails } from "./action.ts";
import type { Caller } from "./caller.ts";
import * as queries from "./queries.server.ts";

export type Act = {
  id: number;
  action: Action;
  details: AuditDetails;
  occurredAt: Date;
  /** Who acted on the account: its holder, an operator, or the service itself. */
  actor: "holder" | "operator" | "service";
};

const activityCursor = cursorOf(z.tuple([z.int().positive()]));

/** The account's audit log, newest first. @throws invalid for a cursor of another list */
export const listActivity = async (ctx: Pick<Context, "db">, caller: Caller, page: PageRequest): Promise<Page<Act>> => {
  const [before] = activityCursor.read(page.cursor) ?? [null];
  const found = await queries.listAudit(ctx.db, caller.account.id, { before, limit: page.limit + 1 });
  return pageOf(found.map(actOf(caller)), page.limit, ({ id }) => activityCursor.write([id]));
};

/** The whole log, newest first, for the account's export. */
export const allActivity = async (ctx: Pick<Context, "db">, caller: Caller): Promise<Act[]> =>
  (await queries.listAudit(ctx.db, caller.account.id, { before: null, limit: null })).map(actOf(caller));

const actOf =
  ({ account }: Caller) =>
  ({ actorAccountId, ...act }: Omit<Act, "actor"> & { actorAccountId: number | null }): Act => ({
    ...act,
    actor: actorAccountId === null ? "service" : actorAccountId === account.id ? "holder" : "operator",
  });

export const registeredAt = async (ctx: Pick<Context, "db">, caller: Caller): Promise<Date> =>
  (await queries.findRegistration(ctx.db, caller.account.id)).registeredAt;

/** The version of the terms that the account holder accepted by registering; null if that was not recorded. */
export const acceptedTerms = async (ctx: Pick<Context, "db">, caller: Caller): Promise<Day | null> =>
  (await queries.findRegistration(ctx.db, caller.account.id)).termsVersion;
