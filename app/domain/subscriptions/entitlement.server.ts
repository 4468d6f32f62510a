/**
 * What entitles an account, or a visitor, to a route's data: subscriptions, or the route being a sample. Concurrent look-ups share one
 * query. Nothing is cached here: a change counts from the next request on. A request by key has read it with the key
 * (`authenticateKey`).
 */
import { batch } from "../../platform/batch.server.ts";
import { perDatabase } from "../../platform/db.server.ts";
import type { Account, Caller } from "../accounts/caller.ts";
import type { OpenedBy } from "../catalogue/period.ts";
import type { Context } from "../context.ts";
import { type Day, dayOf, latestOf } from "../dates.ts";
import { type Access, accessOn } from "./access.ts";
import type { EntitlementRow } from "./entitlement-columns.server.ts";
import { findEntitlements, runningLaneIds, runningRouteIds } from "./queries.server.ts";
import { isRunning, statusOn } from "./status.ts";
import type { SubscriptionRow } from "./subscription.ts";

export type Entitlement = {
  /** The route's version. After the catalogue is replaced, `updatedAt` distinguishes equal numbers. */
  version: number;
  /** As PostgreSQL writes it. */
  updatedAt: string;
  /** The route's periods with late data. They are marked in its documents without a new version. */
  stalePeriodIds: number[];
  /** The route is open to everybody. */
  isSample: boolean;
  /** In any status. */
  subscriptions: Pick<SubscriptionRow, "periodId" | "endDate" | "cancelledAt">[];
};

/** An entitlement to a route that was read before; null when the route does not exist. */
export type KnownEntitlement = { routeId: number; entitlement: Entitlement | null };

type Reader = { account: Pick<Account, "id" | "standing"> };

/** @param caller null for a visitor. @returns null when the route does not exist */
export const findEntitlement = (
  { db, clock }: Pick<Context, "db" | "clock">,
  caller: Reader | null,
  routeId: number,
): Promise<Entitlement | null> => lookUpOf(db)({ accountId: caller?.account.id ?? null, routeId, now: clock.now() });

/** Whether the account, or a visitor, may read the route's data, and why. */
export const accessOf = (today: Day, caller: Reader | null, { subscriptions, isSample }: Entitlement): Access =>
  accessOn(today, caller?.account.standing ?? "good", subscriptions, isSample);

/** What opens the route's periods: for a subscription its period, in ascending order. */
export const openedBy = (today: Day, { isSample, subscriptions }: Entitlement): OpenedBy =>
  isSample
    ? "sample"
    : subscriptions
        .filter((subscription) => isRunning(statusOn(today, subscription)))
        .map(({ periodId }) => periodId)
        .sort((a, b) => a - b);

/** The routes to which the account has an active subscription. None for a visitor and for a suspended account. */
export const subscribedRouteIds = async (
  { db, clock }: Pick<Context, "db" | "clock">,
  caller: Caller | null,
): Promise<number[]> =>
  caller?.account.standing === "good" ? runningRouteIds(db, caller.account.id, dayOf(clock.now())) : [];

/** The trade lanes of those routes. */
export const subscribedLaneIds = async (
  { db, clock }: Pick<Context, "db" | "clock">,
  caller: Caller | null,
): Promise<Set<number>> =>
  caller?.account.standing === "good" ? runningLaneIds(db, caller.account.id, dayOf(clock.now())) : new Set();

type Lookup = { accountId: number | null; routeId: number; now: Date };

const lookUpOf = perDatabase((db) =>
  batch(
    async (lookups: Lookup[]): Promise<(Entitlement | null)[]> => {
      const now = latestOf(lookups.map((each) => each.now));
      const found = lookups.map((): Entitlement | null => null);
      for (const row of await findEntitlements(db, lookups, now)) found[row.place - 1] = entitlementOf(row);
      return found;
    },
    { keyOf: ({ accountId, routeId }) => `${accountId} ${routeId}` },
  ),
);

/** The entitlement that a query has read. */
export const entitlementOf = (row: EntitlementRow): Entitlement => ({
  version: row.version,
  updatedAt: row.updated_at,
  stalePeriodIds: row.stale_period_ids,
  isSample: row.is_sample,
  subscriptions: row.subscriptions.map(([periodId, endDate, cancelledAt]) => ({
    periodId,
    endDate,
    cancelledAt: cancelledAt === null ? null : new Date(cancelledAt),
  })),
});
