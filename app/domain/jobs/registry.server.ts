/**
 * All scheduled jobs in one list: each with a schedule (UTC) and a verb. The embedded scheduler, Inngest's functions, the
 * test clock, the operators' console and the fault tests all take their jobs from here.
 */

import { deleteExpiredLinks } from "../accounts/link-retention.server.ts";
import { deleteExpiredSessions } from "../accounts/session.server.ts";
import { deleteOldAlerts, evaluateAlerts } from "../alerts/evaluate.server.ts";
import { mailAlerts } from "../alerts/mail.server.ts";
import { alertRetentionDays } from "../alerts/policy.ts";
import { remindOfExpiringKeys, revokeExpiredKeys } from "../api-keys/expiry.server.ts";
import { computeBenchmarks } from "../benchmarks/compute.server.ts";
import { deleteOldHistory } from "../catalogue/as-of.server.ts";
import { feedDemo } from "../catalogue/demo-feed.server.ts";
import { announceLateData } from "../catalogue/late-data.server.ts";
import { historyDays } from "../catalogue/policy.ts";
import { turnPeriods } from "../catalogue/turn-periods.server.ts";
import { dispatchChanges } from "../changes/dispatch-webhooks.server.ts";
import { changeRetentionDays } from "../changes/policy.ts";
import { deleteOldChanges } from "../changes/retention.server.ts";
import { deleteExpiredResponses } from "../idempotency/idempotency-key.server.ts";
import { discardOldImports } from "../imports/imports.server.ts";
import { unappliedImportDays } from "../imports/policy.ts";
import { sendDueMail } from "../notifications/outbox.server.ts";
import { endPlans } from "../paid-plans/end-plans.server.ts";
import { mailStatements } from "../payments/mail-statements.server.ts";
import { removeCardsOfClosed } from "../payments/manage-cards.server.ts";
import { expireQuotes } from "../quotes/expire.server.ts";
import { deleteOldCounts } from "../rate-limit/retention.server.ts";
import { feedDemoSchedule } from "../schedules/demo/demo-schedule.server.ts";
import { deleteOldIncidents } from "../status/incidents.server.ts";
import { incidentRetentionDays } from "../status/policy.ts";
import { chargeDueRenewals } from "../subscriptions/charge-renewals.server.ts";
import { closeExpiredOrders } from "../subscriptions/expired-orders.server.ts";
import { recomputePopularity } from "../subscriptions/popularity.server.ts";
import { expireEnded, remindExpiring } from "../subscriptions/remind.server.ts";
import { moveToSuccessors } from "../subscriptions/succession.server.ts";
import { aggregateServiceDays } from "../usage/aggregate-days.server.ts";
import { createLogPartitions } from "../usage/log-partitions.server.ts";
import { moveLogsOfChangedPlans } from "../usage/plan-change.server.ts";
import { deleteExpiredLogs, dropExpiredPartitions } from "../usage/retention.server.ts";
import { sumUpAccounts } from "../usage/sum-up-accounts.server.ts";
import { deleteOldMessages } from "../webhooks/deliveries.server.ts";
import { retentionDays as webhookRetentionDays } from "../webhooks/policy.ts";
import { sendDueWebhooks } from "../webhooks/send.server.ts";
import { counted } from "../wording.ts";
import type { Job } from "./job.ts";
import { runRetentionDays } from "./policy.ts";
import { deleteOldRuns } from "./runs.server.ts";

const hourly = { lock: "dueWork", quiet: false } as const;
const nightly = { lock: "nightlyWork", quiet: false } as const;

/** After a turn, so that new data goes to the new periods. The feed comes first, as it keeps the demo's data from being late. */
const dataJobs: Job[] = [
  {
    ...hourly,
    quiet: true,
    catchesUp: true,
    id: "feed-demo",
    cron: "*/10 * * * *",
    does: "In test mode, writes new data for the demo's routes",
    run: async (ctx) => ({ updated: await feedDemo(ctx), scheduled: await feedDemoSchedule(ctx) }),
  },
  {
    ...hourly,
    quiet: true,
    catchesUp: true,
    id: "announce-late-data",
    cron: "*/10 * * * *",
    does: "Writes e-mails to operators about periods with late data",
    run: async (ctx) => ({ announced: await announceLateData(ctx) }),
  },
];

/** After the jobs that write data and end subscriptions: alerts have figures of subscribed routes only. */
const alertJobs: Job[] = [
  {
    ...hourly,
    quiet: true,
    // With the feed: on days without it, the demo's data would pass for late.
    catchesUp: true,
    id: "evaluate-alerts",
    cron: "*/10 * * * *",
    does: "Raises alerts about changes of what accounts watch",
    run: async (ctx, signal) => ({ raised: await evaluateAlerts(ctx, signal) }),
  },
  {
    ...hourly,
    quiet: true,
    id: "mail-alerts",
    cron: "*/10 * * * *",
    does: "Writes the alert e-mails that are due",
    run: async (ctx, signal) => ({ mails: await mailAlerts(ctx, signal) }),
  },
];

/** The order matters: a subscription that has just been renewed must get no reminder and must not expire. */
export const hourlyJobs: Job[] = [
  {
    ...hourly,
    id: "close-expired-orders",
    cron: "0 * * * *",
    does: "Closes orders whose price is no longer locked, and refunds what was paid too late",
    run: (ctx, signal) => closeExpiredOrders(ctx, signal),
  },
  {
    ...hourly,
    id: "expire-quotes",
    cron: "1 * * * *",
    does: "Marks quotes as expired that were not paid in time",
    run: async (ctx, signal) => ({ expired: await expireQuotes(ctx, signal) }),
  },
  {
    ...hourly,
    id: "turn-periods",
    cron: "1 * * * *",
    does: "Ends periods with their quarter and opens the next",
    run: async (ctx, signal) => ({ opened: await turnPeriods(ctx, signal) }),
  },
  ...dataJobs,
  {
    ...hourly,
    id: "move-to-next-period",
    cron: "2 * * * *",
    does: "Moves subscriptions of ended periods to the next ones",
    run: async (ctx, signal) => ({ moved: await moveToSuccessors(ctx, signal) }),
  },
  {
    ...hourly,
    id: "charge-renewals",
    cron: "5 * * * *",
    does: "Charges the renewals that are due",
    run: (ctx, signal) => chargeDueRenewals(ctx, signal),
  },
  {
    ...hourly,
    id: "remind",
    cron: "20 * * * *",
    does: "Writes reminders of ends and coming charges",
    run: async (ctx, signal) => ({ reminders: await remindExpiring(ctx, signal) }),
  },
  {
    ...hourly,
    id: "expire",
    cron: "30 * * * *",
    does: "Writes e-mails about subscriptions that have ended",
    run: async (ctx, signal) => ({ expired: await expireEnded(ctx, signal) }),
  },
  {
    ...hourly,
    id: "end-plans",
    cron: "3 * * * *",
    does: "Ends paid plans after their last day, and writes reminders before",
    run: (ctx, signal) => endPlans(ctx, signal),
  },
  {
    ...hourly,
    quiet: true,
    id: "expire-keys",
    cron: "*/10 * * * *",
    does: "Revokes API keys that have expired, and writes reminders before they do",
    run: async (ctx) => ({ revoked: await revokeExpiredKeys(ctx), reminders: await remindOfExpiringKeys(ctx) }),
  },
  {
    ...hourly,
    id: "remove-cards",
    cron: "40 * * * *",
    does: "Removes the cards of closed accounts",
    run: async (ctx, signal) => ({ removed: await removeCardsOfClosed(ctx, signal) }),
  },
  ...alertJobs,
];

/** Also runs at every start. */
export const createLogPartitionsJob: Job = {
  ...nightly,
  quiet: true,
  id: "create-log-partitions",
  cron: "12 0 * * *",
  does: "Creates the partitions of the request log for the coming weeks",
  run: async (ctx) => ({ created: await createLogPartitions(ctx) }),
};

const nightlyJobs: Job[] = [
  createLogPartitionsJob,
  {
    ...nightly,
    id: "aggregate-usage",
    cron: "7 0 * * *",
    does: "Sums up the requests of the day before, of all accounts",
    run: async (ctx) => ({ days: await aggregateServiceDays(ctx) }),
  },
  {
    ...nightly,
    catchesUp: true,
    id: "sum-up-accounts",
    cron: "22 0 * * *",
    does: "Sums up the requests of each account by day and month, up to the day before yesterday",
    run: (ctx, signal) => sumUpAccounts(ctx, { signal }),
  },
  {
    ...nightly,
    id: "recompute-popularity",
    cron: "17 3 * * *",
    does: "Recomputes the routes' price factor from demand",
    run: async (ctx, signal) => ({ changed: await recomputePopularity(ctx, signal) }),
  },
  {
    ...nightly,
    catchesUp: true,
    id: "compute-benchmarks",
    cron: "22 3 * * *",
    does: "Computes what rates on each trade lane were in the last weeks",
    run: async (ctx, signal) => ({ computed: await computeBenchmarks(ctx, signal) }),
  },
  {
    ...nightly,
    id: "mail-statements",
    cron: "27 3 1 * *",
    does: "Writes e-mails with last month's statement to accounts that want them",
    run: async (ctx, signal) => ({ statements: await mailStatements(ctx, signal) }),
  },
  {
    ...nightly,
    id: "discard-old-imports",
    cron: "42 3 * * *",
    does: `Discards uploaded catalogue files that nobody applied within ${counted(unappliedImportDays, "day")}`,
    run: async (ctx) => ({ discarded: await discardOldImports(ctx) }),
  },
  {
    ...nightly,
    id: "drop-old-logs",
    cron: "46 3 * * *",
    does: "Drops partitions of the request log that are older than their plan keeps them",
    run: async (ctx, signal) => {
      // First, so that nothing is dropped that a new plan keeps longer.
      const moved = await moveLogsOfChangedPlans(ctx, signal);
      return { moved, dropped: signal.aborted ? 0 : await dropExpiredPartitions(ctx) };
    },
  },
  {
    ...nightly,
    id: "delete-old-logs",
    cron: "47 3 * * *",
    does: "Deletes request logs outside of partitions that are older than their plan keeps them",
    run: async (ctx, signal) => ({ deleted: await deleteExpiredLogs(ctx, signal) }),
  },
  {
    ...nightly,
    id: "delete-old-responses",
    cron: "52 3 * * *",
    does: "Deletes stored responses of old Idempotency-Keys",
    run: async (ctx) => ({ deleted: await deleteExpiredResponses(ctx) }),
  },
  {
    ...nightly,
    id: "delete-ended-sessions",
    cron: "57 3 * * *",
    does: "Deletes sessions that have ended",
    run: (ctx) => deleteExpiredSessions(ctx).then(() => ({})),
  },
  {
    ...nightly,
    id: "delete-old-runs",
    cron: "2 4 * * *",
    does: `Deletes records of runs older than ${counted(runRetentionDays, "day")}`,
    run: async (ctx) => ({ deleted: await deleteOldRuns(ctx) }),
  },
  {
    ...nightly,
    id: "delete-old-links",
    cron: "7 4 * * *",
    does: "Deletes expired e-mail links, unfinished sign-ins and known devices",
    run: async (ctx) => ({ deleted: await deleteExpiredLinks(ctx) }),
  },
  {
    ...nightly,
    id: "delete-old-changes",
    cron: "12 4 * * *",
    does: `Deletes records of changes older than ${counted(changeRetentionDays, "day")}`,
    run: async (ctx, signal) => ({ deleted: await deleteOldChanges(ctx, signal) }),
  },
  {
    ...nightly,
    id: "delete-old-history",
    cron: "17 4 * * *",
    does: `Deletes former values of route data that were replaced more than ${counted(historyDays, "day")} ago`,
    catchesUp: true,
    run: async (ctx) => ({ deleted: await deleteOldHistory(ctx) }),
  },
  {
    ...nightly,
    id: "delete-old-alerts",
    cron: "22 4 * * *",
    does: `Deletes alerts older than ${counted(alertRetentionDays, "day")}`,
    run: async (ctx) => ({ deleted: await deleteOldAlerts(ctx) }),
  },
  {
    ...nightly,
    id: "delete-old-webhooks",
    cron: "27 4 * * *",
    does: `Deletes webhook messages and deliveries older than ${counted(webhookRetentionDays, "day")}`,
    run: async (ctx, signal) => ({ deleted: await deleteOldMessages(ctx, signal) }),
  },
  {
    ...nightly,
    id: "delete-old-request-counts",
    cron: "32 4 * * *",
    does: "Deletes the request counts of hours that have ended, where limits are counted in PostgreSQL",
    run: async (ctx) => ({ deleted: await deleteOldCounts(ctx) }),
  },
  {
    ...nightly,
    id: "delete-old-incidents",
    cron: "37 4 * * *",
    does: `Deletes incidents of the status page that ended more than ${counted(incidentRetentionDays, "day")} ago`,
    run: async (ctx) => ({ deleted: await deleteOldIncidents(ctx) }),
  },
];

const everyMinute = { cron: "* * * * *", lock: null, quiet: true } as const;

/** Each stores what a later one may send. */
export const minuteJobs: Job[] = [
  {
    ...everyMinute,
    id: "dispatch-changes",
    does: "Stores events for webhooks about changes of routes' data",
    run: async (ctx, signal) => ({ stored: await dispatchChanges(ctx, signal) }),
  },
  {
    ...everyMinute,
    id: "send-webhooks",
    does: "Sends the webhooks that are due",
    run: (ctx, signal) => sendDueWebhooks(ctx, signal),
  },
  {
    ...everyMinute,
    id: "send-mail",
    does: "Sends e-mails that are due",
    run: (ctx, signal) => sendDueMail(ctx, signal),
  },
];

/** Webhooks and mail come last, because the other jobs enqueue them. */
export const allJobs: readonly Job[] = [...hourlyJobs, ...nightlyJobs, ...minuteJobs];
