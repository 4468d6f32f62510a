import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { cloneDatabase } from "../testing/database.ts";
import { troubleOf } from "./database-trouble.ts";
import { type Db, openDatabase, type Tx } from "./db.server.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
/** One connection, so that the next statement would use the one that was lost. */
let pool: ReturnType<typeof openDatabase>;
let other: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = openDatabase(database.url, { connections: 1 });
  other = openDatabase(database.url, { connections: 1 });
  await other.db.execute(sql`create table written (by text)`);
});
afterAll(async () => {
  await pool?.close();
  await other?.close();
  await database?.drop();
});
beforeEach(() => other.db.execute(sql`delete from written`));

const write = (tx: Tx, by: string) => tx.execute(sql`insert into written values (${by})`);
const written = async (db: Db) => (await db.execute<{ by: string }>(sql`select by from written`)).map(({ by }) => by);
const cutOff = async (tx: Tx) => {
  const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  await other.db.execute(sql`select pg_terminate_backend(${row?.pid}, 5000)`);
};
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "nothing failed",
    (error: unknown) => error,
  );

it("A transaction fails if its connection is cut, and the next statement gets a new connection", async () => {
  const error = await failure(
    pool.db.transaction(async (tx) => {
      await write(tx, "first");
      await cutOff(tx);
      await write(tx, "second");
    }),
  );
  expect(troubleOf(error)).toBe("away");
  expect(await written(pool.db)).toEqual([]);
});

it("A statement fails if its connection is cut, and the next ones get a new connection", async () => {
  for (const round of [1, 2, 3]) {
    const running = failure(
      pool.db.transaction(async (tx) => {
        const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        const sleeping = tx.execute(sql`select pg_sleep(30)`);
        await Promise.all([sleeping, other.db.execute(sql`select pg_terminate_backend(${row?.pid})`)]);
      }),
    );
    expect(troubleOf(await running), `round ${round}`).toBe("away");
  }
  expect(await written(pool.db)).toEqual([]);
});

it("Later statements of a transaction that was cut off do not run in another one", async () => {
  let cut = () => {};
  const isCut = new Promise<void>((resolve) => {
    cut = resolve;
  });
  let goOn = () => {};
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const zombie: unknown[] = [];
  const first = failure(
    pool.db.transaction(async (tx) => {
      await cutOff(tx);
      cut();
      await mayGoOn;
      zombie.push(await failure(write(tx, "zombie")));
    }),
  );
  await isCut;
  const second = pool.db.transaction(async (tx) => {
    await write(tx, "living");
    goOn();
    expect(troubleOf(await first)).toBe("away");
    while (zombie.length === 0) await tx.execute(sql`select pg_sleep(0.01)`);
  });
  await second;
  expect(troubleOf(zombie[0])).toBe("away");
  expect(await written(pool.db)).toEqual(["living"]);
});

it("A statement gets the connection that was used last, so that the others can close", async () => {
  const several = openDatabase(database.url, { connections: 3 });
  try {
    const backend = () =>
      several.db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid, pg_sleep(0.05)::text`);
    const pidsOf = (answers: { pid: number }[][]) => new Set(answers.flat().map(({ pid }) => pid)).size;
    expect(pidsOf(await Promise.all([backend(), backend(), backend()]))).toBe(3);
    expect(pidsOf([await backend(), await backend(), await backend(), await backend()])).toBe(1);
  } finally {
    await several.close();
  }
});
