import type { Context } from "../context.ts";
import { sendDueMail } from "../notifications/outbox.server.ts";
import { chargeDueRenewals } from "./charge-renewals.server.ts";
import { closeLapsedOrders } from "./lapsed-orders.server.ts";
import { expireEnded, remindExpiring } from "./remind.server.ts";
import { moveToSuccessors } from "./succession.server.ts";

export type WorkDone = {
  remindersSent: number;
  chargesSucceeded: number;
  chargesDeclined: number;
  expired: number;
};

export const nothingDone: WorkDone = { remindersSent: 0, chargesSucceeded: 0, chargesDeclined: 0, expired: 0 };

type World = Pick<Context, "db" | "clock" | "log" | "payments" | "mailer" | "settings">;

/**
 * All that time makes due, in the order in which each step counts on the one before: who renews is neither reminded nor
 * expired. May run at any time, as often as one likes, and in several processes at once. A step that fails keeps no
 * other from being done, and is due again the next time.
 *
 * @throws Error after all steps, when some have failed
 */
export const runDueWork = async (ctx: World): Promise<WorkDone> => {
  const failed: string[] = [];
  const step = async <Result>(name: string, work: Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      ctx.log.error("A step of the due work failed", { step: name }, error);
      failed.push(name);
      return otherwise;
    }
  };
  await step("close lapsed orders", closeLapsedOrders(ctx), null);
  await step("move to successors", moveToSuccessors(ctx), 0);
  const charges = await step("charge renewals", chargeDueRenewals(ctx), { succeeded: 0, declined: 0 });
  const remindersSent = await step("remind", remindExpiring(ctx), 0);
  const expired = await step("expire", expireEnded(ctx), 0);
  await step("send mail", sendDueMail(ctx), { sent: 0, failed: 0 });
  if (failed.length > 0) throw new Error(`Some due work failed: ${failed.join(", ")}`);
  return { remindersSent, chargesSucceeded: charges.succeeded, chargesDeclined: charges.declined, expired };
};
