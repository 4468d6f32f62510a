import { asc, eq, sql } from "drizzle-orm";
import { changeDispatch, routeChanges, routes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { OpenedRoute } from "../subscriptions/opened-routes.server.ts";

/** The range of changes that have not been dispatched: after one id, up to another. */
export const undispatched = async (db: Tx): Promise<{ after: number; through: number }> => {
  const last = sql`(select coalesce(max(${routeChanges.id}), 0) from ${routeChanges})`.mapWith(Number);
  const [row] = await db.select({ after: changeDispatch.dispatchedThrough, through: last }).from(changeDispatch);
  if (!row) throw new Error("change_dispatch has no row");
  return row;
};

/** Never back, as another process may be further. */
export const markDispatched = (db: Tx, through: number) =>
  db
    .update(changeDispatch)
    .set({ dispatchedThrough: sql`greatest(${changeDispatch.dispatchedThrough}, ${through})` })
    .where(eq(changeDispatch.id, true));

export type RevisionOfRoute = Awaited<ReturnType<typeof changesByRevision>>[number];

/** The changes of a range that an account may read, counted by revision, route and type. */
export const changesByRevision = (
  db: Tx,
  opened: readonly OpenedRoute[],
  { after, through }: { after: number; through: number },
) =>
  db
    .select({
      revision: routeChanges.revision,
      routeId: routes.id,
      routeCode: routes.code,
      routeName: routes.name,
      type: routeChanges.type,
      occurredAt: sql`max(${routeChanges.occurredAt})`.mapWith(routeChanges.occurredAt),
      changes: sql`count(*)`.mapWith(Number),
      reports: sql`coalesce(sum(${routeChanges.count}), 0)`.mapWith(Number),
      observedFrom: sql<Date | null>`min(${routeChanges.observedFrom})`.mapWith(routeChanges.observedFrom),
      observedTo: sql<Date | null>`max(${routeChanges.observedTo})`.mapWith(routeChanges.observedTo),
    })
    .from(routeChanges)
    .innerJoin(routes, eq(routes.id, routeChanges.routeId))
    .innerJoin(
      sql`jsonb_to_recordset(${JSON.stringify(opened)}::jsonb) as opened("routeId" integer, "periodIds" integer[])`,
      sql`opened."routeId" = ${routeChanges.routeId}`,
    )
    .where(
      sql`${routeChanges.id} > ${after} and ${routeChanges.id} <= ${through}
        and (${routeChanges.reportType} is null or ${routeChanges.periodId} = any(opened."periodIds"))`,
    )
    .groupBy(routeChanges.revision, routes.id, routeChanges.type)
    .orderBy(asc(routeChanges.revision), asc(routes.id), asc(routeChanges.type));
