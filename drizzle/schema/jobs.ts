/** Runs of scheduled jobs. */

import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { bigId, instant } from "./columns.ts";

/** A log of job runs for operators. Kept for `runRetentionDays`. */
export const jobRuns = pgTable(
  "job_runs",
  {
    id: bigId(),
    job: text().notNull(),
    startedAt: instant().notNull(),
    /** Null: running, or the process died. In that case the next run of the job sets it. */
    endedAt: instant(),
    /** The run stopped early: the service was shut down, or its process died. */
    interrupted: boolean().notNull().default(false),
    /** Counters that the job returned. */
    outcome: jsonb().$type<Record<string, number>>(),
    /** The error message of a failed run. The log has the details. */
    error: text(),
  },
  (t) => [index("job_runs_job_idx").on(t.job, t.startedAt), index("job_runs_started_at_idx").on(t.startedAt)],
);

/** When each job last ran. Decides whether a run is due or was missed. */
export const jobStates = pgTable("job_states", {
  job: text().primaryKey(),
  startedAt: instant().notNull(),
  /** When the last successful run started. */
  completedAt: instant(),
});

/** The latest contact with Inngest, in real time (not the test clock). One row. */
export const inngestContact = pgTable(
  "inngest_contact",
  {
    id: smallint().primaryKey().default(1),
    /** The last call from Inngest. */
    calledAt: instant(),
    /** The last successful registration. */
    registeredAt: instant(),
    /** Why the last registration failed. Null after a success. */
    registrationError: text(),
  },
  (t) => [check("inngest_contact_one_row", sql`${t.id} = 1`)],
);
