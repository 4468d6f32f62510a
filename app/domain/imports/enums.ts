/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

/**
 * `checking`: the file is being read; `checked`: it can be applied; `refused`: it has errors; `applying`: it is being
 * written to the catalogue, in one transaction; `applied` and `discarded`: done.
 */
export const importStatuses = ["checking", "checked", "refused", "applying", "applied", "discarded"] as const;
