/** What is done by the clock: a schedule (UTC) and a verb each. Every verb may run at any time and any number of times. */
import { forgetEndedSessions } from "../app/domain/accounts/session.server.ts";
import type { Context } from "../app/domain/context.ts";
import { forgetOldAnswers } from "../app/domain/idempotency/once.server.ts";
import { sendDueMail } from "../app/domain/notifications/outbox.server.ts";
import { withdrawLapsedOrders } from "../app/domain/payments/orders.server.ts";
import { chargeDueRenewals } from "../app/domain/subscriptions/charge-renewals.server.ts";
import { recomputePopularity } from "../app/domain/subscriptions/popularity.server.ts";
import { expireEnded, remindExpiring } from "../app/domain/subscriptions/remind.server.ts";
import { moveToSuccessors } from "../app/domain/subscriptions/succession.server.ts";
import { forgetOldLogs } from "../app/domain/usage/forget.server.ts";

export type Job = {
  id: string;
  /** Five fields, UTC. */
  cron: string;
  /** @returns what it did, in numbers */
  run(ctx: Context): Promise<Record<string, number>>;
};

export const hourlyJobs: Job[] = [
  { id: "withdraw-orders", cron: "0 * * * *", run: async (ctx) => ({ withdrawn: await withdrawLapsedOrders(ctx) }) },
  { id: "move-to-next-period", cron: "2 * * * *", run: async (ctx) => ({ moved: await moveToSuccessors(ctx) }) },
  { id: "charge-renewals", cron: "5 * * * *", run: (ctx) => chargeDueRenewals(ctx) },
  { id: "remind", cron: "20 * * * *", run: async (ctx) => ({ reminders: await remindExpiring(ctx) }) },
  { id: "expire", cron: "30 * * * *", run: async (ctx) => ({ expired: await expireEnded(ctx) }) },
];

export const nightlyJobs: Job[] = [
  { id: "recompute-popularity", cron: "17 3 * * *", run: async (ctx) => ({ changed: await recomputePopularity(ctx) }) },
  { id: "forget-old-logs", cron: "47 3 * * *", run: async (ctx) => ({ forgotten: await forgetOldLogs(ctx) }) },
  { id: "forget-old-answers", cron: "52 3 * * *", run: async (ctx) => ({ forgotten: await forgetOldAnswers(ctx) }) },
  { id: "forget-ended-sessions", cron: "57 3 * * *", run: (ctx) => forgetEndedSessions(ctx).then(() => ({})) },
];

export const mailJob: Job = { id: "send-mail", cron: "* * * * *", run: (ctx) => sendDueMail(ctx) };
