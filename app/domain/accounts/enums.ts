/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

export const standings = ["good", "suspended"] as const;

export const roles = ["holder", "operator"] as const;

export const sessionKinds = ["portal", "bearer"] as const;
