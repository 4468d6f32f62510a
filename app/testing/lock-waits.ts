/** For tests of concurrency: hold one transaction open until another one waits for its lock. */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Context } from "../domain/context.ts";
import type { Db } from "../platform/db.server.ts";

/** Resolves when a statement in this database waits for a lock. */
export const untilLockIsContended = async (db: Db): Promise<void> => {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await db.execute(waiting)).length === 0) await pause(10);
};

/**
 * A context whose transactions wait after their work, before they commit.
 *
 * @returns `reached` resolves when a transaction waits to commit; `commit` lets it continue
 */
export const holdingTransactions = <World extends Pick<Context, "db">>(
  ctx: World,
): { ctx: World; reached: Promise<void>; commit: () => void } => {
  const [reached, gate] = [signal(), signal()];
  const transaction: Db["transaction"] = (work, config) =>
    ctx.db.transaction(async (tx) => {
      const result = await work(tx);
      reached.give();
      await gate.given;
      return result;
    }, config);
  const db = new Proxy(ctx.db, {
    get: (target, name) => (name === "transaction" ? transaction : Reflect.get(target, name, target)),
  });
  return { ctx: { ...ctx, db }, reached: reached.given, commit: gate.give };
};

const signal = () => {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
};
