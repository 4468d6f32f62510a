import { sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";
import { isoInstant } from "../dates.ts";

/** Until the transaction ends, the tables' names refer to the views in the schema `as_of`. */
export const showAsOf = async (tx: Tx, instant: Date): Promise<void> => {
  await tx.execute(
    sql`select set_config('search_path', 'as_of, public', true), set_config('service.as_of', ${isoInstant(instant)}, true)`,
  );
};

/** @returns how many former values were deleted */
export const deleteKnownUntil = async (db: Tx, until: Date): Promise<number> => {
  const [row] = await db.execute<{ deleted: string }>(
    sql`select history.forget(${isoInstant(until)}::timestamptz) as deleted`,
  );
  return Number(row?.deleted ?? 0);
};
