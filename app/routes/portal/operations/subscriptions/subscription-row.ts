import type { FoundSubscription } from "#app/domain/operations/find-subscriptions.server.ts";

/** A subscription as the tables show it. */
export const subscriptionRow = (row: FoundSubscription) => ({
  id: row.id,
  accountId: row.accountId,
  username: row.username,
  routeId: row.routeId,
  routeName: row.routeName,
  routeCode: row.routeCode,
  term: row.term,
  status: row.status,
  startDate: row.startDate,
  endDate: row.endDate,
  autoRenew: row.autoRenew,
  renewalState: row.renewalState,
  nextCharge: row.nextCharge,
});

export type SubscriptionRow = ReturnType<typeof subscriptionRow>;
