/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

export const importStatuses = ["checked", "refused", "applied", "discarded"] as const;
