/** Column types that every table shares. */
import { bigint, customType, date, integer, timestamp } from "drizzle-orm/pg-core";

export const id = () => integer().primaryKey().generatedAlwaysAsIdentity();

export const bigId = () => bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity();

export const instant = () => timestamp({ withTimezone: true, mode: "date", precision: 3 });

/** A calendar day in UTC, as `YYYY-MM-DD`. */
export const day = () => date({ mode: "string" });

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });
