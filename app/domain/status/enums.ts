/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

/** What the status page reports on, in its order. */
export const components = ["api", "portal", "database", "payments", "mail", "jobs"] as const;

/** `degraded`: slow, late or incomplete. `outage`: does not work. */
export const incidentStates = ["degraded", "outage"] as const;
