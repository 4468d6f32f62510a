import { and, asc, desc, eq, gte, isNotNull, lt, sql } from "drizzle-orm";
import { jobRuns } from "../../../drizzle/schema.ts";
import type { Tx } from "../../platform/db.server.ts";

export type JobRunRow = typeof jobRuns.$inferSelect;

export const insertRun = async (db: Tx, row: typeof jobRuns.$inferInsert): Promise<number> => {
  const [run] = await db.insert(jobRuns).values(row).returning({ id: jobRuns.id });
  if (!run) throw new Error("The insert returned no run");
  return run.id;
};

export const endRun = (db: Tx, id: number, set: Pick<typeof jobRuns.$inferInsert, "endedAt" | "outcome" | "error">) =>
  db.update(jobRuns).set(set).where(eq(jobRuns.id, id));

/** One for each job that has run. */
export const lastRuns = (db: Tx): Promise<JobRunRow[]> =>
  db.selectDistinctOn([jobRuns.job]).from(jobRuns).orderBy(asc(jobRuns.job), desc(jobRuns.startedAt), desc(jobRuns.id));

/** Only jobs of which a run has failed. */
export const failuresSince = (db: Tx, since: Date) =>
  db
    .select({ job: jobRuns.job, failures: sql<number>`count(*)::int` })
    .from(jobRuns)
    .where(and(gte(jobRuns.startedAt, since), isNotNull(jobRuns.error)))
    .groupBy(jobRuns.job);

/** One more than `limit`, newest first, behind `before`. */
export const pageRuns = (
  db: Tx,
  filter: { job: string | undefined; failed: boolean },
  page: { limit: number; before: number | null },
): Promise<JobRunRow[]> =>
  db
    .select()
    .from(jobRuns)
    .where(
      and(
        filter.job === undefined ? undefined : eq(jobRuns.job, filter.job),
        filter.failed ? isNotNull(jobRuns.error) : undefined,
        page.before === null ? undefined : lt(jobRuns.id, page.before),
      ),
    )
    .orderBy(desc(jobRuns.id))
    .limit(page.limit + 1);

/** @returns how many were deleted */
export const deleteRunsBefore = async (db: Tx, before: Date): Promise<number> =>
  (await db.delete(jobRuns).where(lt(jobRuns.startedAt, before)).returning({ id: jobRuns.id })).length;
