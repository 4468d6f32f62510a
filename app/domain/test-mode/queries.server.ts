import { testClock } from "../../../drizzle/schema.ts";
import type { Tx } from "../../platform/db.server.ts";

export const findAheadMs = async (db: Tx): Promise<number> => {
  const [row] = await db.select({ aheadMs: testClock.aheadMs }).from(testClock);
  return row?.aheadMs ?? 0;
};

export const setAheadMs = (db: Tx, aheadMs: number) =>
  db.insert(testClock).values({ aheadMs }).onConflictDoUpdate({ target: testClock.id, set: { aheadMs } });
