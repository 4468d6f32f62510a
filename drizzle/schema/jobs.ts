/** Runs of scheduled jobs. */

import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { bigId, instant } from "./columns.ts";

/** What the scheduler did, for people to look at; kept for some weeks. */
export const jobRuns = pgTable(
  "job_runs",
  {
    id: bigId(),
    job: text().notNull(),
    startedAt: instant().notNull(),
    /** Null: under way, or its process died. The next run of the job then sets it. */
    endedAt: instant(),
    /** It stopped before its end: the service was shut down, or its process died. */
    interrupted: boolean().notNull().default(false),
    /** What it did, in numbers. */
    outcome: jsonb().$type<Record<string, number>>(),
    /** Of a failed run: what the log says more of. */
    error: text(),
  },
  (t) => [index("job_runs_job_idx").on(t.job, t.startedAt), index("job_runs_started_at_idx").on(t.startedAt)],
);

/** When each job ran last: what says whether it is due, and whether it was missed. */
export const jobStates = pgTable("job_states", {
  job: text().primaryKey(),
  startedAt: instant().notNull(),
  /** The start of the last run that came to its end without a failure. */
  completedAt: instant(),
});

/** What passed between this service and Inngest last, by real time. One row. */
export const inngestContact = pgTable(
  "inngest_contact",
  {
    id: smallint().primaryKey().default(1),
    /** The last call that Inngest made. */
    calledAt: instant(),
    /** The last successful registration. */
    registeredAt: instant(),
    /** Why the last registration failed; null after a success. */
    registrationError: text(),
  },
  (t) => [check("inngest_contact_one_row", sql`${t.id} = 1`)],
);
