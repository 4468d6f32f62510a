/** The response and the log when the service fails. */
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { usageLogs } from "#drizzle/schema/index.ts";
import { ClientGone } from "../platform/client-gone.ts";
import { readUpTo } from "../platform/request-body.server.ts";
import { action } from "../routes/api/subscriptions/calculate-single-route-price.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  ({ token } = await world.account());
});
afterAll(() => world.close());
afterEach(() => world.complaints.splice(0));

const logged = () => world.ctx.db.$count(usageLogs);

it("A full disk gives 503 with Retry-After, as nothing is answered that is not in the usage log", async () => {
  await world.ctx.db.execute(sql`
    create function disk_is_full() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
  await world.ctx.db.execute(
    sql`create trigger disk_is_full before insert on usage_logs execute function disk_is_full()`,
  );
  try {
    const { status, headers, body } = await call(world, "GET", "/subscriptions/my-routes", { token });
    expect([status, headers["Retry-After"]]).toEqual([503, "60"]);
    expect(body).toMatchObject({ success: false, message: expect.stringContaining("out of storage") });
    expect(world.complaints).toHaveLength(1);
  } finally {
    await world.ctx.db.execute(sql`drop trigger disk_is_full on usage_logs`);
  }
  expect((await call(world, "GET", "/subscriptions/my-routes", { token })).status).toBe(200);
});

it("A client that hangs up while it sends its body is not answered, logged or recorded as usage", async () => {
  const before = await logged();
  const aborted = async function* () {
    yield new TextEncoder().encode('{"period_id"');
    throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  };
  const headers = new Headers({ Authorization: `Bearer ${token}`, "Content-Type": "application/json" });
  const answering = action.core(world.ctx, {
    method: "POST",
    path: "/subscriptions/calculate-single-route-price",
    search: new URLSearchParams(),
    header: (name) => headers.get(name),
    readBody: (limit) => readUpTo(limit, "40", aborted()),
    ipAddress: "198.51.100.1",
  });
  await expect(answering).rejects.toBeInstanceOf(ClientGone);
  expect(await logged()).toBe(before);
  expect(world.complaints).toEqual([]);
});
