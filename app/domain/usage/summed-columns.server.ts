/** How far the totals of accounts are summed up, for statements that read them. */
import { type SQL, sql } from "drizzle-orm";
import { usageSummed } from "#drizzle/schema/index.ts";

export type SummedPeriod = (typeof usageSummed.$inferSelect)["period"];

/** Within a statement, the first day that is not summed up. */
export const firstNotSummed = (period: SummedPeriod): SQL =>
  sql`coalesce((select ${usageSummed.before} from ${usageSummed} where ${usageSummed.period} = ${sql.raw(`'${period}'`)}), '-infinity')`;
