import { and, desc, gte, inArray, isNotNull, isNull, lt, or } from "drizzle-orm";
import { statusIncidents } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export type IncidentRow = typeof statusIncidents.$inferSelect;

export const findOpen = (db: Tx): Promise<IncidentRow[]> =>
  db.select().from(statusIncidents).where(isNull(statusIncidents.endedAt));

/** Incidents that are open or ended since then, newest first. */
export const findSince = (db: Tx, since: Date, limit: number): Promise<IncidentRow[]> =>
  db
    .select()
    .from(statusIncidents)
    .where(or(isNull(statusIncidents.endedAt), gte(statusIncidents.endedAt, since)))
    .orderBy(desc(statusIncidents.startedAt), desc(statusIncidents.id))
    .limit(limit);

export const end = (db: Tx, ids: number[], endedAt: Date) =>
  db
    .update(statusIncidents)
    .set({ endedAt })
    .where(and(inArray(statusIncidents.id, ids), isNull(statusIncidents.endedAt)));

/** Another machine may have recorded an open one already; there is one for each component. */
export const insert = (db: Tx, incidents: (typeof statusIncidents.$inferInsert)[]) =>
  db.insert(statusIncidents).values(incidents).onConflictDoNothing();

/** @returns how many were deleted */
export const deleteEndedBefore = async (db: Tx, before: Date): Promise<number> =>
  (
    await db
      .delete(statusIncidents)
      .where(and(isNotNull(statusIncidents.endedAt), lt(statusIncidents.endedAt, before)))
      .returning({ id: statusIncidents.id })
  ).length;
