/** Advisory locks: work that only one of the processes on a database does at a time. */
import { DatabaseTrouble } from "./database-trouble.ts";
import { type Db, lockPoolOf, perDatabase } from "./db.server.ts";
import { locks } from "./locks.ts";

export type Lock = keyof typeof locks;
/** Limits the lock to one record, by its id. */
type LockOf = readonly [lock: Lock, id: number];

/**
 * An open transaction holds the lock, so that a process that dies releases it. Its connection comes from the locks' own
 * pool, so that the work can always get one.
 *
 * @returns what the work returns; null if the lock is taken and `ifTaken` says to skip the work
 * @throws DatabaseTrouble `busy` after 30 seconds of waiting, or at once when too many already hold or await this lock
 */
export const withAdvisoryLock = async <Result>(
  db: Db,
  lock: Lock | LockOf,
  ifTaken: "leave" | "wait",
  work: () => Promise<Result>,
): Promise<Result | null> => {
  const [name, id] = typeof lock === "string" ? [lock, 0] : lock;
  const { number, connections } = locks[name];
  const users = usersOf(db)[name];
  if (ifTaken === "leave" && users.includes(id)) return null;
  if (users.length >= connections) throw new DatabaseTrouble("busy", `Too many await the lock ${name}`);
  users.push(id);
  let done: { result: Result } | null = null;
  try {
    await lockPoolOf(db).begin(async (session) => {
      if (ifTaken === "wait") await session.unsafe("select pg_advisory_xact_lock($1::int, $2::int)", [number, id]);
      else {
        const answer = await session.unsafe("select pg_try_advisory_xact_lock($1::int, $2::int) as taken", [
          number,
          id,
        ]);
        if (!(answer as { taken: boolean }[])[0]?.taken) return;
      }
      done = { result: await work() };
    });
  } catch (error) {
    // The work is done even if the lock's connection is lost at the end.
    if (!done) throw error;
  } finally {
    users.splice(users.indexOf(id), 1);
  }
  return done ? (done as { result: Result }).result : null;
};

const usersOf = perDatabase(
  (): Record<Lock, number[]> => ({ dueWork: [], nightlyWork: [], refund: [], testClock: [] }),
);
