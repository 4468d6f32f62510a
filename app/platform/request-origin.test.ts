/** What PostgreSQL is told about the request or job that a statement belongs to. */
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorld, type World } from "../testing/world.ts";
import type { Tx } from "./db.server.ts";
import { asLongWork, asRequest } from "./time-budget.server.ts";

const requestId = "019aa0c2-77f1-7a10-9c4e-0123456789ab";
let world: World;
beforeAll(async () => {
  world = await createWorld({ catalogue: "empty" });
});
afterAll(() => world.close());

const shown = async (db: Tx) => {
  const [row] = await db.execute<{ name: string; query: string }>(
    sql`select current_setting('application_name') as name, query from pg_stat_activity where pid = pg_backend_pid()`,
  );
  return row;
};

describe("PostgreSQL shows", () => {
  it("the request of an unprepared statement, as a comment", async () => {
    const row = await asRequest(() => shown(world.ctx.db), undefined, { requestId, job: null });
    expect(row?.query).toMatch(new RegExp(`pg_backend_pid\\(\\) /\\*request_id='${requestId}'\\*/$`));
  });

  it("the request or the job of a transaction, as the name of its connection", async () => {
    const inTransaction = () => world.ctx.db.transaction((tx) => shown(tx));
    const ofRequest = await asRequest(inTransaction, undefined, { requestId, job: null });
    expect(ofRequest?.name).toBe(`request_id=${requestId}`);
    const ofJob = await asLongWork(inTransaction, { requestId: null, job: "charge-renewals" });
    expect(ofJob?.name).toBe("job=charge-renewals");
    expect((await shown(world.ctx.db))?.name).toBe("shipping-route-data-service");
  });

  it("prepared statements without a comment, so that they stay prepared", async () => {
    const query = (id: number) =>
      world.ctx.db.execute<{ query: string }>(
        sql`select query, ${id}::int from pg_stat_activity where pid = pg_backend_pid()`,
      );
    const texts = await asRequest(async () => [(await query(1))[0]?.query, (await query(2))[0]?.query], undefined, {
      requestId,
      job: null,
    });
    expect(texts.map((text) => text?.includes("request_id"))).toEqual([true, false]);
  });

  it("nothing that could be SQL", async () => {
    const row = await asRequest(() => shown(world.ctx.db), undefined, {
      requestId: "x'; drop table accounts",
      job: null,
    });
    expect(row?.query).not.toContain("/*");
  });
});
