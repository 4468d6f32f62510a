/** An account's alerts: reading them, and how they reach it. */
import type { Tx } from "../../platform/db.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { type Page, type PageRequest, pageOf } from "../page.ts";
import { accessToRoutes } from "../subscriptions/route-access.server.ts";
import { type Alert, type AlertFilter, alertCursor, type ShownAlert } from "./alert.ts";
import * as queries from "./alert-queries.server.ts";
import { defaultCadence, type MailCadence } from "./policy.ts";
import { findCadence, saveCadence } from "./watch-queries.server.ts";

type World = Pick<Context, "db" | "clock">;

/** Newest first. @throws invalid for a cursor of another list */
export const listAlerts = async (
  ctx: World,
  caller: Caller,
  { limit, cursor, ...filter }: AlertFilter & PageRequest,
): Promise<Page<ShownAlert>> => {
  const [before] = alertCursor.read(cursor) ?? [null];
  const found = await queries.pageOfAlerts(ctx.db, caller.account.id, filter, { before, limit });
  const { rows, nextCursor } = pageOf(found, limit, (last) => alertCursor.write([last.id]));
  return { rows: await withoutLockedFigures(ctx, caller, rows), nextCursor };
};

/** All alerts that are kept, newest first, for the export of the account's data. */
export const allAlerts = async (ctx: World, caller: Caller): Promise<ShownAlert[]> => {
  const all = { before: null, limit: Number.MAX_SAFE_INTEGER - 1 };
  return withoutLockedFigures(ctx, caller, await queries.pageOfAlerts(ctx.db, caller.account.id, {}, all));
};

/** Removes the figures of routes that the account may not read now. */
const withoutLockedFigures = async (ctx: World, caller: Caller, alerts: readonly Alert[]): Promise<ShownAlert[]> => {
  const access = await accessToRoutes(ctx, caller, [...new Set(alerts.map(({ route }) => route.id))]);
  return alerts.map((alert) => (access.get(alert.route.id)?.hasAccess ? alert : { ...alert, figures: null }));
};

/** Marks an alert and all older ones as read. @returns how many were unread */
export const markAlertsRead = (ctx: World, { account }: Caller, { upTo }: { upTo: number }): Promise<number> =>
  queries.markRead(ctx.db, account.id, upTo, ctx.clock.now());

/** When the account gets alerts by e-mail. */
export const mailCadenceOf = async (ctx: Pick<Context, "db">, { account }: Caller): Promise<MailCadence> =>
  (await findCadence(ctx.db, account.id)) ?? defaultCadence;

/** Alerts raised while mail is off are not mailed later. */
export const setMailCadence = (
  ctx: Pick<Context, "db">,
  { account }: Caller,
  { cadence }: { cadence: MailCadence },
): Promise<void> => ctx.db.transaction((tx) => saveMailCadence(tx, account.id, cadence));

export const saveMailCadence = async (tx: Tx, accountId: number, cadence: MailCadence): Promise<void> => {
  await saveCadence(tx, accountId, cadence);
  if (cadence === "off") await queries.stopAwaitingMail(tx, accountId);
};
