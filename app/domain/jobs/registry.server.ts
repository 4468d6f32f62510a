/**
 * All scheduled jobs in one list: each with a schedule (UTC) and a verb. The embedded scheduler, Inngest's functions, the
 * test clock, the operators' console and the fault tests all take their jobs from here.
 */

import { deleteExpiredLinks } from "../accounts/link-retention.server.ts";
import { deleteExpiredSessions } from "../accounts/session.server.ts";
import { feedDemo } from "../catalogue/demo-feed.server.ts";
import { announceLateData } from "../catalogue/late-data.server.ts";
import { turnPeriods } from "../catalogue/turn-periods.server.ts";
import { deleteExpiredResponses } from "../idempotency/idempotency-key.server.ts";
import { discardOldImports } from "../imports/imports.server.ts";
import { unappliedImportDays } from "../imports/policy.ts";
import { sendDueMail } from "../notifications/outbox.server.ts";
import { removeCardsOfClosed } from "../payments/manage-cards.server.ts";
import { feedDemoSchedule } from "../schedules/demo/demo-schedule.server.ts";
import { chargeDueRenewals } from "../subscriptions/charge-renewals.server.ts";
import { closeExpiredOrders } from "../subscriptions/expired-orders.server.ts";
import { recomputePopularity } from "../subscriptions/popularity.server.ts";
import { expireEnded, remindExpiring } from "../subscriptions/remind.server.ts";
import { moveToSuccessors } from "../subscriptions/succession.server.ts";
import { aggregateServiceDays } from "../usage/aggregate-days.server.ts";
import { deleteExpiredLogs } from "../usage/retention.server.ts";
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
    does: "Writes mail to operators about periods whose data is late",
    run: async (ctx) => ({ announced: await announceLateData(ctx) }),
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
    does: "Writes mail about subscriptions that have ended",
    run: async (ctx, signal) => ({ expired: await expireEnded(ctx, signal) }),
  },
  {
    ...hourly,
    id: "remove-cards",
    cron: "40 * * * *",
    does: "Removes the cards of closed accounts",
    run: async (ctx, signal) => ({ removed: await removeCardsOfClosed(ctx, signal) }),
  },
];

const nightlyJobs: Job[] = [
  {
    ...nightly,
    id: "aggregate-usage",
    cron: "7 0 * * *",
    does: "Sums up the requests of the day before, of all accounts",
    run: async (ctx) => ({ days: await aggregateServiceDays(ctx) }),
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
    id: "discard-old-imports",
    cron: "42 3 * * *",
    does: `Discards uploaded catalogue files that nobody applied within ${counted(unappliedImportDays, "day")}`,
    run: async (ctx) => ({ discarded: await discardOldImports(ctx) }),
  },
  {
    ...nightly,
    id: "delete-old-logs",
    cron: "47 3 * * *",
    does: "Deletes request logs that are older than their plan keeps them",
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
];

export const mailJob: Job = {
  id: "send-mail",
  cron: "* * * * *",
  does: "Sends the mail that is due",
  lock: null,
  quiet: true,
  run: (ctx, signal) => sendDueMail(ctx, signal),
};

/** Mail comes last, because the other jobs enqueue it. */
export const allJobs: readonly Job[] = [...hourlyJobs, ...nightlyJobs, mailJob];
