import { sql } from "drizzle-orm";
import { check, index, pgEnum, pgTable, smallint, uniqueIndex } from "drizzle-orm/pg-core";
import { components, incidentStates } from "../../app/domain/status/enums.ts";
import { id, instant } from "./columns.ts";

/** Updated by every health check, to prove that the database accepts writes. One row. */
export const healthChecks = pgTable(
  "health_checks",
  { id: smallint().primaryKey().default(1), checkedAt: instant().notNull() },
  (t) => [check("health_checks_one_row", sql`${t.id} = 1`)],
);

export const component = pgEnum("component", components);
export const incidentState = pgEnum("incident_state", incidentStates);

/** When a component of the service was not operational, in real time (not the test clock). Kept for `incidentRetentionDays`. */
export const statusIncidents = pgTable(
  "status_incidents",
  {
    id: id(),
    component: component().notNull(),
    state: incidentState().notNull(),
    startedAt: instant().notNull(),
    /** Null: it has not ended. */
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("status_incidents_open_idx").on(t.component).where(sql`${t.endedAt} is null`),
    index("status_incidents_started_at_idx").on(t.startedAt),
    check("status_incidents_ends_after_start", sql`${t.endedAt} >= ${t.startedAt}`),
  ],
);
