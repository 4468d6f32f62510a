import { type AddressInfo, createServer, type Socket } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openDatabase } from "../platform/db.server.ts";
import { cloneDatabase } from "../testing/database.ts";
import { createWorld, type World } from "../testing/world.ts";
import { checkHealth, checkReadiness, type ProcessFacts } from "./health.server.ts";
import { expired } from "./notifications/messages.ts";
import { enqueue } from "./notifications/outbox.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ now: "2026-11-20T09:30:00Z" });
});
afterAll(() => world.close());

const facts: ProcessFacts = {
  version: "1.2.3",
  scheduler: "embedded",
  started: { at: new Date("2026-11-20T09:30:00Z"), really: new Date("2026-11-20T09:30:00Z") },
  rateLimitStore: "redis",
  rateLimitFailures: 4,
};

describe("Health", () => {
  it("counts mail that has been due for more than 15 minutes", async () => {
    const { account } = await world.account();
    const message = expired(world.ctx.settings.appUrl, { routeName: "A route", endDate: "2026-11-20" });
    const mail = { ...message, dedupeKey: "late", accountId: account.id };
    await enqueue(world.ctx.db, mail, world.ctx.clock.now());
    world.clock.set("2026-11-20T09:45:00Z");
    expect((await checkHealth(world.ctx, facts)).mail_delayed).toBe(0);
    world.clock.set("2026-11-20T09:45:01Z");
    expect(await checkHealth(world.ctx, facts)).toEqual({
      status: "ok",
      now: "2026-11-20T09:45:01.000Z",
      version: "1.2.3",
      test_mode: true,
      payments: "simulated",
      scheduler: "embedded",
      scheduled_work: { status: "ok", overdue: [], last_call_at: null, last_registered_at: null },
      rate_limit_store: "redis",
      rate_limit_failures: 4,
      mail_delayed: 1,
    });
  });

  it("is database_away when the database refuses connections or accepts them without answering", async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket));
    await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
    const { port } = silent.address() as AddressInfo;
    for (const url of ["postgres://nobody@127.0.0.1:1/nothing", `postgres://nobody@127.0.0.1:${port}/nothing`]) {
      const away = openDatabase(url);
      const health = await checkHealth({ ...world.ctx, db: away.db }, facts);
      expect(health).toMatchObject({ status: "database_away", mail_delayed: null });
      for (const socket of sockets) socket.destroy();
      await away.close();
    }
    silent.close();
  });

  it.each([
    // Like a full disk: no further temporary file can be written.
    ["database_full", "temp_file_limit = 0"],
    ["database_read_only", "default_transaction_read_only = on"],
  ])("is %s when the database can be read but not written", async (status, setting) => {
    const database = await cloneDatabase();
    const name = new URL(database.url).pathname.slice(1);
    // Only a superuser may limit temporary files.
    const admin = openDatabase(inject("testDatabase").adminUrl, { connections: 1 });
    await admin.db.execute(sql.raw(`alter database "${name}" set ${setting}`)).finally(admin.close);
    const opened = openDatabase(database.url);
    try {
      expect(await checkHealth({ ...world.ctx, db: opened.db }, facts)).toMatchObject({ status, mail_delayed: null });
    } finally {
      await opened.close();
      await database.drop();
    }
  });
});

describe("Readiness", () => {
  it("depends on the schema: as old as the release, older, or newer", async () => {
    const [last] = await world.ctx.db.execute<{ at: string }>(
      sql`select max(created_at) as at from drizzle.__drizzle_migrations`,
    );
    const own = Number(last?.at);
    expect(await checkReadiness(world.ctx)).toBe("ok");
    expect(await checkReadiness(world.ctx, own + 1)).toBe("schema_outdated");
    // The migrations after 1 only add to the schema.
    expect(await checkReadiness(world.ctx, 1)).toBe("ok");
    await world.ctx.db.execute(sql`update drizzle.compatibility set needs = created_at where created_at = ${own}`);
    expect(await checkReadiness(world.ctx, own - 1)).toBe("schema_newer");
    expect(await checkReadiness(world.ctx)).toBe("ok");
  });

  it("names the database's trouble", async () => {
    const away = openDatabase("postgres://nobody@127.0.0.1:1/nothing");
    expect(await checkReadiness({ db: away.db })).toBe("database_away");
    await away.close();
  });
});
