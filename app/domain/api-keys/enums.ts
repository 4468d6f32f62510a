/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

export const keyStatuses = ["active", "inactive"] as const;
