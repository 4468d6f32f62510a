import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cloneDatabase } from "../testing/database.ts";
import { type MuteProxy, openMuteProxy } from "../testing/mute-proxy.ts";
import { withAdvisoryLock } from "./advisory-lock.server.ts";
import { batch } from "./batch.server.ts";
import { troubleOf } from "./database-trouble.ts";
import { type Db, openDatabase, type Tx } from "./db.server.ts";
import { lockConnections } from "./locks.ts";
import { asLongWork, asRequest } from "./time-budget.server.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let proxy: MuteProxy;
/** One connection, through the proxy. */
let pool: ReturnType<typeof openDatabase>;
let db: Db;
/** Bypasses the proxy. */
let other: ReturnType<typeof openDatabase>;

beforeEach(async () => {
  database = await cloneDatabase();
  proxy = await openMuteProxy(database.url);
  pool = openDatabase(proxy.url, { connections: 1 });
  db = pool.db;
  other = openDatabase(database.url, { connections: 1 });
  await other.db.execute(sql`create table written (by text)`);
});
afterEach(async () => {
  proxy.resume();
  await pool.close();
  await proxy.close();
  await other.close();
  await database.drop();
});

const write = (tx: Tx, by: string) => tx.execute(sql`insert into written values (${by})`);
const written = async () =>
  (await other.db.execute<{ by: string }>(sql`select by from written order by by`)).map(({ by }) => by);
const troubleIn = (work: Promise<unknown>) => work.then(() => "none", troubleOf);
const signal = () => {
  let fire = () => {};
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fire, fired };
};

describe("Work under a lock", () => {
  it("gets a connection even if as many locks are held as allowed", async () => {
    const all = signal();
    let holding = 0;
    const refund = (id: number) =>
      withAdvisoryLock(db, ["refund", id], "leave", async () => {
        holding += 1;
        if (holding === 4) all.fire();
        await all.fired;
        await write(db, `refund ${id}`);
        return true;
      });
    const outcomes = await Promise.all([1, 2, 3, 4].map(refund));
    expect(outcomes).toEqual([true, true, true, true]);
    expect(await written()).toHaveLength(4);
  });

  it("is rejected at once beyond that, while another lock is still available", async () => {
    const end = signal();
    const started = signal();
    let holding = 0;
    const held = [1, 2, 3, 4].map((id) =>
      withAdvisoryLock(db, ["refund", id], "leave", async () => {
        holding += 1;
        if (holding === 4) started.fire();
        await end.fired;
      }),
    );
    await started.fired;
    expect(await troubleIn(withAdvisoryLock(db, ["refund", 5], "leave", async () => true))).toBe("busy");
    expect(await withAdvisoryLock(db, ["refund", 4], "leave", async () => true)).toBeNull();
    expect(await withAdvisoryLock(db, "dueWork", "wait", async () => true)).toBe(true);
    expect(lockConnections).toBe(9);
    end.fire();
    await Promise.all(held);
    expect(await withAdvisoryLock(db, ["refund", 5], "leave", async () => true)).toBe(true);
  });

  it("runs one after the other", async () => {
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      await write(db, name);
      order.push(`${name} ends`);
    };
    await Promise.all(["a", "b", "c"].map((name) => withAdvisoryLock(db, "dueWork", "wait", work(name))));
    expect(order.map((event) => event.split(" ")[1])).toEqual(["begins", "ends", "begins", "ends", "begins", "ends"]);
  });

  it("stays done if the connection of the lock is lost during it", async () => {
    const outcome = withAdvisoryLock(db, "nightlyWork", "leave", async () => {
      await write(db, "night");
      await other.db.execute(
        sql`select pg_terminate_backend(l.pid, 5000) from pg_locks l where l.locktype = 'advisory'`,
      );
      return "done";
    }).catch(troubleOf);
    expect(["done", "away"]).toContain(await outcome);
    expect(await written()).toEqual(["night"]);
  });
});

it("rejects a query outside an open transaction, because it could deadlock the pool", async () => {
  const nested = db.transaction(async (tx) => {
    await write(tx, "first");
    await write(db, "second");
  });
  await expect(nested).rejects.toThrow(
    expect.objectContaining({
      cause: expect.objectContaining({ message: expect.stringContaining("open transaction") }),
    }),
  );
  expect(await written()).toEqual([]);
  await db.transaction((tx) => tx.transaction((inner) => write(inner, "savepoint")));
  await write(db, "afterwards");
  expect(await written()).toEqual(["afterwards", "savepoint"]);
});

describe("A request", () => {
  it("that times out leaves the queue, and its statement is not sent later", async () => {
    const holding = signal();
    const release = signal();
    const held = db.transaction(async () => {
      holding.fire();
      await release.fired;
    });
    await holding.fired;
    expect(await troubleIn(asRequest(() => write(db, "given up"), 50))).toBe("busy");
    release.fire();
    await held;
    await write(db, "later");
    expect(await written()).toEqual(["later"]);
  });

  it("has one budget for all its waits, and its transaction is rolled back", async () => {
    const slow = asRequest(
      () =>
        db.transaction(async (tx) => {
          await write(tx, "half");
          for (let count = 0; count < 100; count += 1) await tx.execute(sql`select pg_sleep(0.1)`);
        }),
      250,
    );
    expect(await troubleIn(slow)).toBe("away");
    await write(db, "next");
    expect(await written()).toEqual(["next"]);
  });

  it("has a limit for each statement, which long work does not", async () => {
    expect(await troubleIn(db.execute(sql`select pg_sleep(30)`))).toBe("busy");
    await asLongWork(() => db.execute(sql`select pg_sleep(3)`));
  });

  it("fails while the database does not answer; later ones get a new connection and see none of its writes", async () => {
    await write(db, "before");
    proxy.silence();
    const committing = asRequest(
      () =>
        db.transaction(async (tx) => {
          await write(tx, "lost");
        }),
      200,
    );
    expect(await troubleIn(committing)).toBe("away");
    expect(await troubleIn(asRequest(() => write(db, "queued"), 200))).toMatch(/away|busy/);
    // The silent connection is given up; a new one is tried in its place.
    await vi.waitFor(async () => expect(await troubleIn(write(db, "tried anew"))).toBe("away"), 30_000);
    proxy.resume();
    await vi.waitFor(() => write(db, "after"), { timeout: 10_000 });
    expect(await written()).toEqual(["after", "before"]);
  });
});

it("A batch that is stuck fails, and the next one is answered", async () => {
  const release = signal();
  const groups: string[][] = [];
  const ask = batch(async (items: string[]) => {
    groups.push(items);
    if (groups.length === 1) await release.fired;
    return items;
  });
  const first = troubleIn(asRequest(() => ask("first"), 50));
  await expect.poll(() => groups).toHaveLength(1);
  const impatient = troubleIn(asRequest(() => ask("impatient"), 50));
  const second = ask("second");
  expect(await first).toBe("away");
  expect(await impatient).toBe("away");
  release.fire();
  expect(await second).toBe("second");
  expect(groups).toEqual([["first"], ["second"]]);
});
