/** Sends alerts by e-mail: one message for all that wait, as often as the account wants it. */
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { alertsRaised } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { accessToRoutes } from "../subscriptions/route-access.server.ts";
import type { Alert } from "./alert.ts";
import * as queries from "./alert-queries.server.ts";
import { mailedBefore } from "./mail-schedule.ts";
import { stopUrl } from "./stop-link.server.ts";
import { type Watch, watchName } from "./watch.ts";
import { findWatches } from "./watch-queries.server.ts";
import { alertSummary, alertTitles } from "./wording.ts";

type World = Pick<Context, "db" | "clock" | "sealer" | "settings">;

/** Accounts of one query. */
const portion = 500;

/** Alerts of one message. The portal has the rest. */
const alertsPerMail = 50;

/**
 * Writes the mails that are due. An alert is in one mail: it stops waiting in the transaction that stores the mail.
 *
 * @param signal stops after the current account
 * @returns how many mails were written
 */
export const mailAlerts = async (ctx: World, signal?: AbortSignal): Promise<number> => {
  let written = 0;
  for (let after = 0; ; ) {
    const waiting = await queries.accountsAwaitingMail(ctx.db, { after, limit: portion });
    for (const { accountId, cadence } of waiting) {
      if (signal?.aborted) return written;
      const before = mailedBefore(cadence, ctx.clock.now());
      if (before !== null && (await mailAccount(ctx, accountId, before))) written += 1;
    }
    const last = waiting.at(-1);
    if (!last || waiting.length < portion) return written;
    after = last.accountId;
  }
};

const mailAccount = (ctx: World, accountId: number, before: Date): Promise<boolean> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const waiting = await queries.lockAwaitingMail(tx, accountId, before);
    const last = waiting.at(-1);
    if (!last) return false;
    await queries.markMailed(
      tx,
      waiting.map(({ id }) => id),
    );
    const readable = await readableNow({ ...ctx, db: tx }, accountId, waiting);
    if (readable.length === 0) return false;
    const listed = readable.slice(0, alertsPerMail);
    const watchIds = new Set(listed.flatMap(({ watchId }) => watchId ?? []));
    const watches = await findWatches(tx, accountId, [...watchIds]);
    const mail = alertsRaised(ctx.settings.appUrl, {
      day: dayOf(now),
      count: readable.length,
      routes: routesOf(ctx, accountId, { alerts: listed, watches }),
      stopAllUrl: stopUrl(ctx, { accountId, watchId: null }),
    });
    return enqueue(tx, { ...mail, accountId, dedupeKey: `alerts:${accountId}:${last.id}` }, now);
  });

/** Of routes whose subscription has ended meanwhile, nothing is sent. */
const readableNow = async (ctx: Pick<Context, "db" | "clock">, accountId: number, waiting: Alert[]) => {
  const account = await queries.findHolder(ctx.db, accountId);
  if (!account) return [];
  const access = await accessToRoutes(ctx, { account }, [...new Set(waiting.map(({ route }) => route.id))]);
  return waiting.filter(({ route }) => access.get(route.id)?.hasAccess);
};

/** The alerts by route, each route with the watches that raised them. */
const routesOf = (ctx: World, accountId: number, { alerts, watches }: { alerts: Alert[]; watches: Watch[] }) =>
  [...groupBy(alerts, ({ route }) => route.id).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { route } = first;
    const raisedBy = watches.filter(({ id }) => own.some(({ watchId }) => watchId === id));
    return [
      {
        ...{ id: route.id, code: route.code, name: route.name },
        alerts: own.map(({ kind, figures }) => ({ label: alertTitles[kind], value: alertSummary(figures) })),
        watches: raisedBy.map((watch) => ({
          name: watchName(watch, route),
          stopUrl: stopUrl(ctx, { accountId, watchId: watch.id }),
        })),
      },
    ];
  });
