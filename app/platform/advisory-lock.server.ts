/** Work that is done by one at a time, whichever of the processes that share the database does it. */
import { sql } from "drizzle-orm";
import type { Db } from "./db.server.ts";

const locks = { dueWork: 7_463_510, nightlyWork: 7_463_511, refund: 7_463_512, testClock: 7_463_513 } as const;
export type Lock = keyof typeof locks;
/** Of one thing alone, by its id. */
type LockOf = readonly [lock: Lock, id: number];

/**
 * The lock is held by an open transaction, so that it ends with the process, however that ends. The work itself uses
 * other connections.
 *
 * @returns what the work returns; null when another one is at it and `ifTaken` says to leave it
 */
export const withAdvisoryLock = <Result>(
  db: Db,
  lock: Lock | LockOf,
  ifTaken: "leave" | "wait",
  work: () => Promise<Result>,
): Promise<Result | null> =>
  db.transaction(async (tx) => {
    const [name, id] = typeof lock === "string" ? [lock, 0] : lock;
    const key = sql`${locks[name]}::int, ${id}::int`;
    if (ifTaken === "wait") {
      await tx.execute(sql`select pg_advisory_xact_lock(${key})`);
      return work();
    }
    const [row] = await tx.execute<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(${key}) as taken`);
    return row?.taken ? work() : null;
  });
