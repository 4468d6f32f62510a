/** What is done by the clock: a schedule (UTC) and a verb each. Every verb may run at any time and any number of times. */
import { forgetOldLinks } from "../app/domain/accounts/forget-links.server.ts";
import { forgetEndedSessions } from "../app/domain/accounts/session.server.ts";
import type { Context } from "../app/domain/context.ts";
import { forgetOldAnswers } from "../app/domain/idempotency/once.server.ts";
import { discardOldImports } from "../app/domain/imports/imports.server.ts";
import { sendDueMail } from "../app/domain/notifications/outbox.server.ts";
import { forgetOldRuns, type Outcome } from "../app/domain/operations/job-runs.server.ts";
import { removeCardsOfClosed } from "../app/domain/payments/manage-cards.server.ts";
import { withdrawLapsedOrders } from "../app/domain/payments/orders.server.ts";
import { chargeDueRenewals } from "../app/domain/subscriptions/charge-renewals.server.ts";
import { recomputePopularity } from "../app/domain/subscriptions/popularity.server.ts";
import { expireEnded, remindExpiring } from "../app/domain/subscriptions/remind.server.ts";
import { moveToSuccessors } from "../app/domain/subscriptions/succession.server.ts";
import { forgetOldLogs } from "../app/domain/usage/forget.server.ts";
import { sumUpDays } from "../app/domain/usage/sum-up-days.server.ts";
import type { Lock } from "../app/platform/advisory-lock.server.ts";

export type Job = {
  id: string;
  /** Five fields, UTC. */
  cron: string;
  /** For operators: what it does. */
  does: string;
  /** Held by the embedded scheduler while it runs; null: it runs beside itself without harm. */
  lock: Lock | null;
  /** Only runs that did something or failed are recorded. */
  quiet: boolean;
  run(ctx: Context): Promise<Outcome>;
};

const hourly = { lock: "dueWork", quiet: false } as const;
const nightly = { lock: "nightlyWork", quiet: false } as const;

/** In the order in which each counts on the one before: who renews is neither reminded nor expired. */
export const hourlyJobs: Job[] = [
  {
    ...hourly,
    id: "withdraw-orders",
    cron: "0 * * * *",
    does: "Withdraws orders whose price is no longer locked",
    run: async (ctx) => ({ withdrawn: await withdrawLapsedOrders(ctx) }),
  },
  {
    ...hourly,
    id: "move-to-next-period",
    cron: "2 * * * *",
    does: "Moves subscriptions of ended periods to the next ones",
    run: async (ctx) => ({ moved: await moveToSuccessors(ctx) }),
  },
  {
    ...hourly,
    id: "charge-renewals",
    cron: "5 * * * *",
    does: "Charges the renewals that are due",
    run: (ctx) => chargeDueRenewals(ctx),
  },
  {
    ...hourly,
    id: "remind",
    cron: "20 * * * *",
    does: "Writes reminders of ends and coming charges",
    run: async (ctx) => ({ reminders: await remindExpiring(ctx) }),
  },
  {
    ...hourly,
    id: "expire",
    cron: "30 * * * *",
    does: "Tells of subscriptions that have ended",
    run: async (ctx) => ({ expired: await expireEnded(ctx) }),
  },
  {
    ...hourly,
    id: "remove-cards",
    cron: "40 * * * *",
    does: "Takes the cards of closed accounts away",
    run: async (ctx) => ({ removed: await removeCardsOfClosed(ctx) }),
  },
];

export const nightlyJobs: Job[] = [
  {
    ...nightly,
    id: "sum-up-usage",
    cron: "7 0 * * *",
    does: "Sums up the requests of the day before, of all accounts",
    run: async (ctx) => ({ days: await sumUpDays(ctx) }),
  },
  {
    ...nightly,
    id: "recompute-popularity",
    cron: "17 3 * * *",
    does: "Recomputes the routes' price factor from demand",
    run: async (ctx) => ({ changed: await recomputePopularity(ctx) }),
  },
  {
    ...nightly,
    id: "discard-old-imports",
    cron: "42 3 * * *",
    does: "Puts files for the catalogue away that nobody applied in seven days",
    run: async (ctx) => ({ discarded: await discardOldImports(ctx) }),
  },
  {
    ...nightly,
    id: "forget-old-logs",
    cron: "47 3 * * *",
    does: "Deletes request logs that are older than their plan keeps them",
    run: async (ctx) => ({ forgotten: await forgetOldLogs(ctx) }),
  },
  {
    ...nightly,
    id: "forget-old-answers",
    cron: "52 3 * * *",
    does: "Deletes answers kept for repeated requests",
    run: async (ctx) => ({ forgotten: await forgetOldAnswers(ctx) }),
  },
  {
    ...nightly,
    id: "forget-ended-sessions",
    cron: "57 3 * * *",
    does: "Deletes sessions that have ended",
    run: (ctx) => forgetEndedSessions(ctx).then(() => ({})),
  },
  {
    ...nightly,
    id: "forget-old-runs",
    cron: "2 4 * * *",
    does: "Deletes records of runs older than 30 days",
    run: async (ctx) => ({ forgotten: await forgetOldRuns(ctx) }),
  },
  {
    ...nightly,
    id: "forget-old-links",
    cron: "7 4 * * *",
    does: "Deletes links by mail, half-way sign-ins and known devices whose time is over",
    run: async (ctx) => ({ forgotten: await forgetOldLinks(ctx) }),
  },
];

export const mailJob: Job = {
  id: "send-mail",
  cron: "* * * * *",
  does: "Sends the mail that is due",
  lock: null,
  quiet: true,
  run: (ctx) => sendDueMail(ctx),
};

export const allJobs: readonly Job[] = [...hourlyJobs, ...nightlyJobs, mailJob];
