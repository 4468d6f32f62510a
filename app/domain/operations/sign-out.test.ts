import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLog } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { allActivity } from "../accounts/activity.server.ts";
import { asOperator } from "../accounts/caller.ts";
import { recognise } from "../accounts/session.server.ts";
import { signOutEverywhere } from "./sign-out.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe("An operator's verb", () => {
  it("does not compile for a caller who is not an operator", async () => {
    const { caller } = await world.account();
    const call = () =>
      signOutEverywhere(
        world.ctx,
        // @ts-expect-error the caller is not known to be an operator
        caller,
        { accountId: 1 },
      );
    expect(call).toBeTypeOf("function");
  });

  it("is not found for holders and for suspended operators", async () => {
    const { caller } = await world.account();
    const operator = await world.operator();
    expect(() => asOperator(caller)).toThrow("Page not found");
    const suspended = { ...operator, account: { ...operator.account, standing: "suspended" as const } };
    expect(() => asOperator(suspended)).toThrow("Page not found");
    expect(asOperator(operator)).toEqual(operator);
  });
});

describe("Signing out everywhere", () => {
  it("ends the account's sessions, not those of others, and is logged", async () => {
    const { account, caller, token } = await world.account();
    const other = await world.account();
    const operator = await world.operator();
    expect(await signOutEverywhere(world.ctx, operator, { accountId: account.id })).toEqual({ endedSessions: 1 });
    expect(await recognise(world.ctx, token, "bearer")).toBeNull();
    expect(await recognise(world.ctx, other.token, "bearer")).not.toBeNull();
    expect((await allActivity(world.ctx, caller))[0]).toMatchObject({
      action: "session.all_revoked",
      actor: "operator",
      details: { ended_sessions: 1 },
    });
    const [entry] = await world.ctx.db.select().from(auditLog).where(eq(auditLog.action, "session.all_revoked"));
    expect(entry).toMatchObject({ accountId: account.id, actorAccountId: operator.account.id });
  });

  it("is rejected for an unknown account", async () => {
    const operator = await world.operator();
    await expect(signOutEverywhere(world.ctx, operator, { accountId: 999_999 })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
