import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloneDatabase } from "../testing/database.ts";
import { openDatabase } from "./db.server.ts";
import { statement } from "./statement.server.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let pool: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = openDatabase(database.url, { connections: 1 });
  await pool.db.execute(sql`create table counted (id integer, name text)`);
});
afterAll(async () => {
  await pool?.close();
  await database?.drop();
});

const insert = statement<{ id: number }, { ids: number[]; names: (string | null)[] }>(
  ({ ids, names }) => sql`
    insert into counted select * from unnest((select ${ids}::integer[]), (select ${names}::text[])) returning id`,
);
const stored = () => pool.db.execute(sql`select id, name from counted order by id`);

describe("A statement", () => {
  it("takes lists of any length, with null and with special characters", async () => {
    await expect(insert(pool.db, { ids: [], names: [] })).resolves.toEqual([]);
    await expect(insert(pool.db, { ids: [1, 2], names: [null, 'a "b", \\{c}'] })).resolves.toEqual([
      { id: 1 },
      { id: 2 },
    ]);
    await expect(stored()).resolves.toEqual([
      { id: 1, name: null },
      { id: 2, name: 'a "b", \\{c}' },
    ]);
  });

  it("belongs to the transaction that it runs in", async () => {
    const before = await stored();
    const cancelled = pool.db.transaction(async (tx) => {
      await expect(insert(tx, { ids: [3], names: ["c"] })).resolves.toEqual([{ id: 3 }]);
      throw new Error("Cancelled");
    });
    await expect(cancelled).rejects.toThrow("Cancelled");
    await expect(stored()).resolves.toEqual(before);
  });

  it("is prepared and planned once", async () => {
    for (let length = 1; length <= 20; length++)
      await insert(pool.db, { ids: Array(length).fill(4), names: Array(length).fill("d") });
    const plans = await pool.db.execute(sql`
      select custom_plans::int, generic_plans::int from pg_prepared_statements where statement like '%insert into counted%'`);
    expect(plans).toEqual([{ custom_plans: 0, generic_plans: 22 }]);
  });
});
