import type { LoaderFunctionArgs } from "@remix-run/node";
import { alertDocument, bareWatchDocument } from "#app/api/documents/alerts.ts";
import { keyDocument } from "#app/api/documents/keys.ts";
import { invoiceDocuments } from "#app/api/documents/subscription-actions.server.ts";
import { subscriptionDocument } from "#app/api/documents/subscriptions.ts";
import { endpointDocument } from "#app/api/documents/webhooks.ts";
import { acceptedTerms, allActivity, registeredAt } from "#app/domain/accounts/activity.server.ts";
import { listPasskeys } from "#app/domain/accounts/passkeys.server.ts";
import { allAlerts } from "#app/domain/alerts/alerts.server.ts";
import { allWatches } from "#app/domain/alerts/watchlist.server.ts";
import { allKeys } from "#app/domain/api-keys/manage.server.ts";
import { dayOf, isoInstant } from "#app/domain/dates.ts";
import { invoicesWithLines } from "#app/domain/payments/invoices.server.ts";
import { listSavedSearches } from "#app/domain/saved-searches/saved-searches.server.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { listEndpoints } from "#app/domain/webhooks/manage.server.ts";
import { fileResponse, visitForFile } from "#app/portal/download.server.ts";

/** Exports the account's data, with the API's field names and without password, tokens, key secrets, signing secrets or the keys of passkeys. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitForFile(args, "/account/data");
  const [
    registered,
    termsVersion,
    subscriptions,
    invoices,
    keys,
    passkeys,
    webhooks,
    watches,
    alerts,
    savedSearches,
    activity,
  ] = await Promise.all([
    registeredAt(ctx, caller),
    acceptedTerms(ctx, caller),
    listSubscriptions(ctx, caller),
    invoicesWithLines(ctx, caller),
    allKeys(ctx, caller),
    listPasskeys(ctx, caller),
    listEndpoints(ctx, caller),
    allWatches(ctx, caller),
    allAlerts(ctx, caller),
    listSavedSearches(ctx, caller),
    allActivity(ctx, caller),
  ]);
  const { username, email, plan, standing } = caller.account;
  const now = ctx.clock.now();
  const account = {
    exported_at: isoInstant(now),
    profile: {
      username,
      email,
      plan,
      standing,
      registered_at: isoInstant(registered),
      terms_version: termsVersion,
    },
    subscriptions: subscriptions.map(subscriptionDocument),
    invoices: await invoiceDocuments(ctx, invoices),
    api_keys: keys.map(keyDocument),
    passkeys: passkeys.map(({ name, createdAt, lastUsedAt, isSynced }) => ({
      name,
      created_at: isoInstant(createdAt),
      last_used_at: lastUsedAt && isoInstant(lastUsedAt),
      is_synced: isSynced,
    })),
    webhooks: webhooks.map(endpointDocument),
    watches: watches.map(bareWatchDocument),
    alerts: alerts.map(alertDocument),
    saved_searches: savedSearches.map(({ name, query, createdAt }) => ({
      name,
      query,
      created_at: isoInstant(createdAt),
    })),
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
