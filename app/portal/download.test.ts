import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../platform/db.server.ts";
import { asRequest } from "../platform/time-budget.server.ts";
import { cloneDatabase } from "../testing/database.ts";
import type { ClonedDatabase } from "../testing/test-server.ts";
import { streamOf } from "./download.server.ts";

let database: ClonedDatabase;
let pool: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await cloneDatabase();
  pool = openDatabase(database.url);
});
afterAll(async () => {
  await pool.close();
  await database.drop();
});

it("A download may wait for the database longer than other requests", async () => {
  const budgetMs = 2_000;
  const parts = async function* () {
    yield "first\n";
    for (let part = 0; part < 3; part += 1) {
      await pool.db.execute(sql`select pg_sleep(1)`);
      yield `part ${part}\n`;
    }
  };
  const text = await asRequest(async () => new Response(await streamOf(parts())).text(), budgetMs);
  expect(text).toBe("first\npart 0\npart 1\npart 2\n");
});
