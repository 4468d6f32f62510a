/** Makes events for webhooks of the changes of routes' data. */

import type { Context } from "../context.ts";
import { isoInstant } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { openedRoutes } from "../subscriptions/opened-routes.server.ts";
import { enqueueWebhookEvents } from "../webhooks/enqueue.server.ts";
import type { NewWebhookEvent } from "../webhooks/events.ts";
import { accountsSubscribedTo } from "../webhooks/manage.server.ts";
import * as queries from "./dispatch-queries.server.ts";

/**
 * Stores `data.changed` and `report.added` for each account that wants them and may read the route, once for each route and
 * revision of the catalogue. Continues after the last change that was dispatched. If it is killed, the next run stores what
 * is missing: the events' keys keep it from storing one twice.
 *
 * @returns how many events were stored
 */
export const dispatchChanges = async (ctx: Pick<Context, "db" | "clock">, signal?: AbortSignal): Promise<number> => {
  const range = await queries.undispatched(ctx.db);
  if (range.through <= range.after) return 0;
  let stored = 0;
  for (const account of await accountsSubscribedTo(ctx, ["data.changed", "report.added"])) {
    if (signal?.aborted) return stored;
    const opened = await openedRoutes(ctx, { account });
    if (opened.length === 0) continue;
    const rows = await queries.changesByRevision(ctx.db, opened, range);
    const byFact = groupBy(rows, ({ revision, routeId }) => `${revision}:${routeId}`);
    const events = [...byFact].flatMap(([key, types]) => eventsOf(account.id, key, types));
    stored += await enqueueWebhookEvents(ctx.db, events);
  }
  await queries.markDispatched(ctx.db, range.through);
  return stored;
};

/** @param types what has changed of one route in one revision */
const eventsOf = (accountId: number, key: string, types: readonly queries.RevisionOfRoute[]): NewWebhookEvent[] => {
  const [first] = types;
  if (!first) return [];
  const { routeId, routeCode, routeName, revision, occurredAt: at } = first;
  const fact = { route_id: routeId, route_code: routeCode, route_name: routeName, revision };
  const changes = Object.fromEntries(types.map(({ type, changes }) => [type, changes]));
  const added = types.find(({ type }) => type === "reports_added");
  return [
    { accountId, type: "data.changed", key, data: { ...fact, changes }, at },
    ...(added?.observedFrom && added.observedTo
      ? [
          {
            accountId,
            type: "report.added" as const,
            key,
            data: {
              ...fact,
              reports: added.reports,
              observed_from: isoInstant(added.observedFrom),
              observed_to: isoInstant(added.observedTo),
            },
            at,
          },
        ]
      : []),
  ];
};
