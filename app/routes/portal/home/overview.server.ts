/** What the home page shows to a signed-in account. */
import type { Caller } from "#app/domain/accounts/caller.ts";
import { listAlerts } from "#app/domain/alerts/alerts.server.ts";
import { recentlyChangedRoutes } from "#app/domain/changes/list.server.ts";
import type { Context } from "#app/domain/context.ts";
import { dayOf, startOf } from "#app/domain/dates.ts";
import { spendOf } from "#app/domain/payments/spend.server.ts";
import { hasSubscribed, upcomingExpirations } from "#app/domain/subscriptions/list.server.ts";
import { expirationOutlookDays } from "#app/domain/subscriptions/policy.ts";
import { subscribedSailings } from "#app/domain/subscriptions/schedules.server.ts";
import { callUsage, hasCalledWithKey } from "#app/domain/usage/call-usage.server.ts";
import { firstRecentDay } from "#app/domain/usage/policy.ts";
import { alertView } from "#app/portal/alert-view.ts";
import { changeView } from "#app/portal/change-words.ts";
import { noticesOfPage } from "#app/portal/notices.server.ts";
import { sailingView } from "#app/portal/sailing-view.ts";
import { getStartedData } from "./get-started.server.ts";

export type OverviewData = Awaited<ReturnType<typeof overviewData>>;

/** Rows of a card, at most. */
const rowsShown = 5;
const alertsShown = 3;

export const overviewData = async (ctx: Context, caller: Caller, request: Request) => {
  const now = ctx.clock.now();
  const [subscribed, called] = await Promise.all([hasSubscribed(ctx, caller), hasCalledWithKey(ctx, caller)]);
  const isSuspended = caller.account.standing === "suspended";
  const [getStarted, renewals, changes, departures, spend, usage, watchlist] = await Promise.all([
    subscribed && called ? null : getStartedData(ctx, caller, request, { subscribed, called }),
    subscribed ? renewalsData(ctx, caller) : null,
    subscribed && !isSuspended ? recentlyChangedRoutes(ctx, caller, { limit: rowsShown }) : null,
    subscribed && !isSuspended ? departuresData(ctx, caller, now) : null,
    subscribed ? spendOf(ctx, caller, { since: startOf(firstRecentDay(dayOf(now))) }) : null,
    called ? usageData(ctx, caller) : null,
    watchlistData(ctx, caller),
  ]);
  return {
    now: now.toISOString(),
    isSuspended,
    getStarted,
    renewals,
    changes: changes?.map(changeView) ?? null,
    departures,
    spend,
    usage,
    watchlist,
  };
};

/** Past due first, then what ends soonest. */
const renewalsData = async (ctx: Context, caller: Caller) => {
  const [{ pastDue }, { rows }] = await Promise.all([
    noticesOfPage(ctx, caller),
    upcomingExpirations(ctx, caller, { days: expirationOutlookDays.default, limit: rowsShown * 2 }),
  ]);
  const first = pastDue.slice(0, rowsShown);
  const isPastDue = new Set(pastDue.map(({ subscriptionId }) => subscriptionId));
  return {
    pastDue: first,
    ending: rows
      .filter(({ id }) => !isPastDue.has(id))
      .slice(0, rowsShown - first.length)
      .map(({ id, routeName, routeCode, status, endDate, daysLeft, nextCharge, renewal }) => ({
        ...{ id, routeName, routeCode, status, endDate, daysLeft, nextCharge },
        needsCard: renewal.needsCard,
      })),
  };
};

const departuresData = async (ctx: Context, caller: Caller, now: Date) => {
  const page = { departure_from: { instant: now }, limit: rowsShown };
  const { rows } = await subscribedSailings(ctx, caller, page);
  return rows.map((sailing) => ({ route: sailing.route, ...sailingView(sailing) }));
};

const usageData = async (ctx: Context, caller: Caller) => {
  const { totals, quota } = await callUsage(ctx, caller, { period: "days" });
  return { totals, quota: { ...quota, resetsAt: quota.resetsAt.toISOString() } };
};

const watchlistData = async (ctx: Context, caller: Caller) => {
  const [{ unreadAlerts }, { rows }] = await Promise.all([
    noticesOfPage(ctx, caller),
    listAlerts(ctx, caller, { limit: alertsShown }),
  ]);
  return { unread: unreadAlerts, alerts: rows.map(alertView) };
};
