/** Work that one process at a time does, whichever of them serves the same database. */
import { sql } from "drizzle-orm";
import type { Db } from "./db.server.ts";

const locks = { dueWork: 7_463_510, nightlyWork: 7_463_511 } as const;
export type Lock = keyof typeof locks;

/**
 * The lock is held by an open transaction, so that it ends with the process, however that ends. The work itself uses
 * other connections.
 *
 * @returns what the work returns; null when another process is at it and `ifTaken` says to leave it
 */
export const withAdvisoryLock = <Result>(
  db: Db,
  lock: Lock,
  ifTaken: "leave" | "wait",
  work: () => Promise<Result>,
): Promise<Result | null> =>
  db.transaction(async (tx) => {
    if (ifTaken === "wait") {
      await tx.execute(sql`select pg_advisory_xact_lock(${locks[lock]})`);
      return work();
    }
    const [row] = await tx.execute<{ taken: boolean }>(sql`select pg_try_advisory_xact_lock(${locks[lock]}) as taken`);
    return row?.taken ? work() : null;
  });
