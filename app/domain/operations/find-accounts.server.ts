import { z } from "zod";
import type { OperatorCaller, Role, Standing } from "../accounts/caller.ts";
import { type TwoFactor, twoFactorOf } from "../accounts/two-factor.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { notFound } from "../errors.ts";
import { cursorId, cursorOf, type Page, type PageRequest, pageOf } from "../page.ts";
import type { Plan } from "../plans/plans.ts";
import type { AccountFilter } from "./account-filter.ts";
import * as queries from "./account-queries.server.ts";

export type AccountRow = {
  id: number;
  email: string;
  username: string;
  plan: Plan;
  standing: Standing;
  role: Role;
  createdAt: Date;
  /** Closed by its holder. Personal data is erased. */
  closedAt: Date | null;
  runningSubscriptions: number;
};

/** Newest first. @throws invalid for a cursor of another list */
export const findAccounts = async (
  ctx: Pick<Context, "db" | "clock">,
  _operator: OperatorCaller,
  filter: AccountFilter,
  page: PageRequest,
): Promise<Page<AccountRow>> => {
  const [before] = accountCursor.read(page.cursor) ?? [null];
  const today = dayOf(ctx.clock.now());
  const found = await queries.searchAccounts(ctx.db, filter, { limit: page.limit, before, today });
  return pageOf(found, page.limit, ({ id }) => accountCursor.write([id]));
};

const accountCursor = cursorOf(z.tuple([cursorId]));

export type AccountProfile = NonNullable<Awaited<ReturnType<typeof queries.findAccount>>> & {
  openSessions: number;
  twoFactor: TwoFactor;
};

/** @throws not_found */
export const getAccountProfile = async (
  ctx: Pick<Context, "db" | "clock">,
  _operator: OperatorCaller,
  input: { id: number },
): Promise<AccountProfile> => {
  const account = await queries.findAccount(ctx.db, input.id);
  if (!account) throw notFound("Account");
  const [openSessions, twoFactor] = await Promise.all([
    queries.countOpenSessions(ctx.db, input.id, ctx.clock.now()),
    twoFactorOf(ctx, { account }),
  ]);
  return { ...account, openSessions, twoFactor };
};
