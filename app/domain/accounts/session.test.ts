import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sessions } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { SessionKind } from "./lucia.server.ts";
import { deleteExpiredSessions, openSession, recognise } from "./session.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ now: "2026-11-20T09:30:00Z" });
});
afterAll(() => world.close());

describe("Session retention", () => {
  it("deletes expired sessions of both kinds and keeps the others", async () => {
    const { account } = await world.account();
    const origin = { ipAddress: null, userAgent: null };
    const open = async (kind: SessionKind) => (await openSession(world.ctx, account, kind, origin)).token;
    const kinds = async () =>
      (await world.ctx.db.select().from(sessions).where(eq(sessions.accountId, account.id))).map(({ kind }) => kind);
    const portal = await open("portal");
    expect((await kinds()).sort()).toEqual(["bearer", "portal"]);

    await deleteExpiredSessions(world.ctx);
    expect(await kinds()).toHaveLength(2);
    world.clock.set("2026-11-21T09:30:01Z");
    await deleteExpiredSessions(world.ctx);
    expect(await kinds()).toEqual(["portal"]);
    expect(await recognise(world.ctx, portal, "portal")).not.toBeNull();
    world.clock.set("2027-01-20T09:30:00Z");
    await open("bearer");
    await deleteExpiredSessions(world.ctx);
    expect(await kinds()).toEqual(["bearer"]);
  });
});
