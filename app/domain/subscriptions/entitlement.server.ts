/** What an account holds of a route: asked by every request for a route's data, hence together. Nothing is cached. */
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
  /** Of the route; `updatedAt` tells one catalogue's versions from another's. */
  version: number;
  updatedAt: Date;
  /** Whatever their status. */
  subscriptions: Pick<SubscriptionRow, "periodId" | "endDate" | "cancelledAt">[];
};

/** Null: there is no such route. */
export const findEntitlement = (
  { db }: Pick<Context, "db">,
  { account }: Caller,
  routeId: number,
): Promise<Entitlement | null> => lookUpOf(db)({ accountId: account.id, routeId });

/** Those whose data the account's running subscriptions pay for, lowest first. */
export const runningPeriodIds = (today: Day, { subscriptions }: Entitlement): number[] =>
  subscriptions
    .filter((subscription) => isRunning(statusOn(today, subscription)))
    .map(({ periodId }) => periodId)
    .sort((a, b) => a - b);

type Asked = { accountId: number; routeId: number };

const lookUpOf = perDatabase((db) =>
  batch(async (asked: Asked[]): Promise<(Entitlement | null)[]> => {
    const distinct = new Map(asked.map((each) => [nameOf(each), each]));
    const found = groupBy(await findHeld(db, [...distinct.values()]), nameOf);
    return asked.map((each) => {
      const rows = found.get(nameOf(each));
      if (!rows?.[0]) return null;
      const { version, updatedAt } = rows[0];
      return { version, updatedAt, subscriptions: rows.flatMap(({ subscription }) => subscription ?? []) };
    });
  }),
);

const nameOf = ({ accountId, routeId }: Asked) => `${accountId} ${routeId}`;
