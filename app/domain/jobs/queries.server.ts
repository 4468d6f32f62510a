import { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { inngestContact, jobRuns, jobStates } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import { clockToleranceMs } from "./job.ts";

export type JobRunRow = typeof jobRuns.$inferSelect;

export const insertRun = async (db: Tx, row: typeof jobRuns.$inferInsert): Promise<number> => {
  const [run] = await db.insert(jobRuns).values(row).returning({ id: jobRuns.id });
  if (!run) throw new Error("The insert returned no run");
  return run.id;
};

export const endRun = (
  db: Tx,
  id: number,
  set: Pick<typeof jobRuns.$inferInsert, "endedAt" | "outcome" | "error" | "interrupted">,
) => db.update(jobRuns).set(set).where(eq(jobRuns.id, id));

/** Marks the job's open runs as interrupted. */
export const interruptOpenRuns = (db: Tx, job: string, endedAt: Date) =>
  db
    .update(jobRuns)
    .set({ endedAt, interrupted: true })
    .where(and(eq(jobRuns.job, job), isNull(jobRuns.endedAt)));

/** The latest run of each job that has run. */
export const lastRuns = (db: Tx): Promise<JobRunRow[]> =>
  db.selectDistinctOn([jobRuns.job]).from(jobRuns).orderBy(asc(jobRuns.job), desc(jobRuns.startedAt), desc(jobRuns.id));

/** Failed runs per job. Jobs without failures are missing. */
export const failuresSince = (db: Tx, since: Date) =>
  db
    .select({ job: jobRuns.job, failures: sql<number>`count(*)::int` })
    .from(jobRuns)
    .where(and(gte(jobRuns.startedAt, since), isNotNull(jobRuns.error)))
    .groupBy(jobRuns.job);

/** Up to `limit` + 1 runs, newest first, with ids below `before`. */
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

// ── When each job last ran ──────────────────────────────────────────────────────────────────────────

export const findStates = (db: Tx) => db.select().from(jobStates);

/** Forgets a completion in the future, by a process whose clock was ahead: no later one would replace it. */
export const markStarted = (db: Tx, job: string, startedAt: Date) =>
  db
    .insert(jobStates)
    .values({ job, startedAt })
    .onConflictDoUpdate({
      target: jobStates.job,
      set: {
        startedAt,
        completedAt: sql`case when ${isInFuture(startedAt)} then null else ${jobStates.completedAt} end`,
      },
    });

const isInFuture = (now: Date) => gt(jobStates.completedAt, new Date(now.getTime() + clockToleranceMs));

/** @param startedAt when the completed jobs were started */
export const markCompleted = (db: Tx, jobs: string[], startedAt: Date) =>
  db
    .insert(jobStates)
    .values(jobs.map((job) => ({ job, startedAt, completedAt: startedAt })))
    .onConflictDoUpdate({
      target: jobStates.job,
      // Another run may have started or completed in the meantime.
      set: {
        startedAt: sql`greatest(${jobStates.startedAt}, excluded.started_at)`,
        completedAt: sql`greatest(${jobStates.completedAt}, excluded.completed_at)`,
      },
    });

// ── The last contact between the service and Inngest ────────────────────────────────────────────────

export type InngestContact = Omit<typeof inngestContact.$inferSelect, "id">;

export const findContact = async (db: Tx): Promise<InngestContact | null> => {
  const [row] = await db.select().from(inngestContact);
  return row ?? null;
};

export const noteContact = (db: Tx, contact: Partial<InngestContact>) =>
  db.insert(inngestContact).values(contact).onConflictDoUpdate({ target: inngestContact.id, set: contact });
