/**
 * Which subscriptions an account has to a route. Every request for route data asks this, so that concurrent lookups share
 * one query. Nothing is cached: a change counts from the next request on.
 */
import { batch } from "../../platform/batch.server.ts";
import { perDatabase } from "../../platform/db.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import type { Day } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { findHeld } from "./queries.server.ts";
import { isRunning, statusOn } from "./status.ts";
import type { SubscriptionRow } from "./subscription.ts";

export type Entitlement = {
  /** The route's version. After the catalogue is replaced, `updatedAt` distinguishes equal numbers. */
  version: number;
  updatedAt: Date;
  /** The route's periods with late data. They are marked in its documents without a new version. */
  stalePeriodIds: number[];
  /** In any status. */
  subscriptions: Pick<SubscriptionRow, "periodId" | "endDate" | "cancelledAt">[];
};

/** Null when the route does not exist. */
export const findEntitlement = (
  { db, clock }: Pick<Context, "db" | "clock">,
  { account }: Caller,
  routeId: number,
): Promise<Entitlement | null> => lookUpOf(db)({ accountId: account.id, routeId, now: clock.now() });

/** The periods of the account's running subscriptions, in ascending order. */
export const runningPeriodIds = (today: Day, { subscriptions }: Entitlement): number[] =>
  subscriptions
    .filter((subscription) => isRunning(statusOn(today, subscription)))
    .map(({ periodId }) => periodId)
    .sort((a, b) => a - b);

type Lookup = { accountId: number; routeId: number; now: Date };

const lookUpOf = perDatabase((db) =>
  batch(async (lookups: Lookup[]): Promise<(Entitlement | null)[]> => {
    const distinct = new Map(lookups.map((each) => [keyOf(each), each]));
    const now = new Date(Math.max(...lookups.map((each) => each.now.getTime())));
    const found = groupBy(await findHeld(db, [...distinct.values()], now), keyOf);
    return lookups.map((each) => {
      const rows = found.get(keyOf(each));
      if (!rows?.[0]) return null;
      const { version, updatedAt, stalePeriodIds } = rows[0];
      return {
        version,
        updatedAt,
        stalePeriodIds,
        subscriptions: rows.flatMap(({ subscription }) => subscription ?? []),
      };
    });
  }),
);

const keyOf = ({ accountId, routeId }: Omit<Lookup, "now">) => `${accountId} ${routeId}`;
