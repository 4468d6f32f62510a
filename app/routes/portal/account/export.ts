import type { LoaderFunctionArgs } from "@remix-run/node";
import { keyDocument } from "#app/api/documents/keys.ts";
import { invoiceDocument } from "#app/api/documents/subscription-actions.ts";
import { subscriptionDocument } from "#app/api/documents/subscriptions.ts";
import { allActivity, registeredAt } from "#app/domain/accounts/activity.server.ts";
import { allKeys } from "#app/domain/api-keys/manage.server.ts";
import { dayOf, isoInstant } from "#app/domain/dates.ts";
import { invoicesWithLines } from "#app/domain/payments/invoices.server.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { fileResponse, visitForFile } from "#app/portal/download.server.ts";

/** Exports the account's data, with the API's field names and without password, tokens or key secrets. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitForFile(args, "/account/data");
  const [registered, subscriptions, invoices, keys, activity] = await Promise.all([
    registeredAt(ctx, caller),
    listSubscriptions(ctx, caller),
    invoicesWithLines(ctx, caller),
    allKeys(ctx, caller),
    allActivity(ctx, caller),
  ]);
  const { username, email, plan, standing } = caller.account;
  const now = ctx.clock.now();
  const account = {
    exported_at: isoInstant(now),
    profile: { username, email, plan, standing, registered_at: isoInstant(registered) },
    subscriptions: subscriptions.map(subscriptionDocument),
    invoices: invoices.map(invoiceDocument),
    api_keys: keys.map(keyDocument),
    activity: activity.map(({ occurredAt, action, actor, details }) => ({
      occurred_at: isoInstant(occurredAt),
      action,
      actor,
      details,
    })),
  };
  return fileResponse(`${JSON.stringify(account, null, 2)}\n`, {
    name: `account-${dayOf(now)}.json`,
    type: "application/json",
  });
};
