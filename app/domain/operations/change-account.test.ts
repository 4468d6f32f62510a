import { desc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, auditLog, outboxMessages } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { recognise } from "../accounts/session.server.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { budgetOf } from "../rate-limit/policy.ts";
import { changePlan, reinstate, setAgreedDiscount, setHourlyLimit, suspend } from "./change-account.server.ts";

let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  world = await createWorld();
  operator = await world.operator();
});
afterAll(() => world.close());

const accountNow = async (token: string) => (await recognise(world.ctx, token, "bearer"))?.account;
const lastAct = async (accountId: number) => {
  const [act] = await world.ctx.db
    .select({ action: auditLog.action, actor: auditLog.actorAccountId, details: auditLog.details })
    .from(auditLog)
    .where(eq(auditLog.accountId, accountId))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return act;
};
const lastMail = async (accountId: number) => {
  const [mail] = await world.ctx.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.accountId, accountId))
    .orderBy(desc(outboxMessages.id))
    .limit(1);
  return mail;
};
const upgrade = (accountId: number, plan: "professional" | "enterprise" = "enterprise") =>
  changePlan(world.ctx, operator, { accountId, plan, reason: "As agreed" });

describe("Changing the plan", () => {
  it("takes effect with the next request, is logged with the former plan, and is mailed", async () => {
    const { account, token } = await world.account();
    await upgrade(account.id, "professional");
    expect(budgetOf((await accountNow(token)) ?? account).hourly).toBe(5_000);
    expect(await lastAct(account.id)).toEqual({
      action: "account.plan_changed",
      actor: operator.account.id,
      details: { from: "free", to: "professional", reason: "As agreed" },
    });
    const mail = await lastMail(account.id);
    expect(mail?.subject).toBe("Your plan is now professional");
    expect(mail?.text).toContain("As agreed");
    await expect(upgrade(account.id, "professional")).rejects.toMatchObject({ code: "conflict" });
  });

  it("applies to a key request that began before it", async () => {
    const { account, caller } = await world.account();
    const enterprise = { ...caller, account: { ...caller.account, plan: "enterprise" as const } };
    for (const name of ["one", "two"])
      await issueKey(world.ctx, enterprise, { api_key_name: name, user: account.username });
    const third = issueKey(world.ctx, enterprise, { api_key_name: "three", user: account.username });
    await expect(third).rejects.toThrow("The free plan allows 2 API keys");
  });

  it("is rejected if the account has too many keys, and says how many", async () => {
    const { account, caller } = await world.account();
    await upgrade(account.id);
    const enterprise = { ...caller, account: { ...caller.account, plan: "enterprise" as const } };
    for (const name of ["one", "two", "three"]) {
      await issueKey(world.ctx, enterprise, { api_key_name: name, user: account.username });
    }
    const down = changePlan(world.ctx, operator, { accountId: account.id, plan: "free", reason: "Unpaid" });
    await expect(down).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: "plan", message: expect.stringContaining("delete 1 first") }],
    });
  });

  it("from enterprise ends the custom limit", async () => {
    const { account, token } = await world.account();
    await upgrade(account.id);
    await setHourlyLimit(world.ctx, operator, { accountId: account.id, hourlyLimit: 80_000 });
    await changePlan(world.ctx, operator, { accountId: account.id, plan: "free", reason: "Ended" });
    expect(await accountNow(token)).toMatchObject({ plan: "free", customHourlyLimit: null });
    expect((await lastAct(account.id))?.details).toMatchObject({ former_hourly_limit: 80_000 });
  });
});

describe("Agreed terms", () => {
  it("allow a custom hourly limit on the enterprise plan, and return to the plan's limit when it is removed", async () => {
    const { account, token } = await world.account();
    const set = (hourlyLimit: number | null) =>
      setHourlyLimit(world.ctx, operator, { accountId: account.id, hourlyLimit });
    await expect(set(80_000)).rejects.toMatchObject({ code: "conflict" });
    await upgrade(account.id);
    await set(80_000);
    expect(budgetOf((await accountNow(token)) ?? account).hourly).toBe(80_000);
    await set(null);
    expect(budgetOf((await accountNow(token)) ?? account).hourly).toBe(25_000);
    expect((await lastAct(account.id))?.details).toEqual({ from: 80_000, to: null });
  });

  it("allow a discount on large orders", async () => {
    const { account, token } = await world.account();
    await setAgreedDiscount(world.ctx, operator, { accountId: account.id, percent: 30 });
    expect(await accountNow(token)).toMatchObject({ customDiscountPercent: 30 });
    expect(await lastAct(account.id)).toMatchObject({
      action: "account.discount_agreed",
      details: { from: null, to: 30 },
    });
    await setAgreedDiscount(world.ctx, operator, { accountId: account.id, percent: null });
    expect(await accountNow(token)).toMatchObject({ customDiscountPercent: null });
  });
});

describe("Suspending and reinstating", () => {
  it("take effect with the next request, and mail the reason to the account holder", async () => {
    const { account, token } = await world.account();
    await suspend(world.ctx, operator, { accountId: account.id, reason: "Keys were shared" });
    expect(await accountNow(token)).toMatchObject({ standing: "suspended" });
    expect(await lastAct(account.id)).toMatchObject({
      action: "account.suspended",
      details: { reason: "Keys were shared" },
    });
    expect((await lastMail(account.id))?.text).toContain("Keys were shared");
    await expect(suspend(world.ctx, operator, { accountId: account.id, reason: "Again" })).rejects.toMatchObject({
      code: "conflict",
    });

    await reinstate(world.ctx, operator, { accountId: account.id, reason: "Keys replaced" });
    expect(await accountNow(token)).toMatchObject({ standing: "good" });
    expect((await lastMail(account.id))?.subject).toBe("Your account is in good standing again");
    await expect(reinstate(world.ctx, operator, { accountId: account.id, reason: "Again" })).rejects.toMatchObject({
      code: "conflict",
    });
  });

  it("are rejected for the operator's own account", async () => {
    await expect(
      suspend(world.ctx, operator, { accountId: operator.account.id, reason: "Why not" }),
    ).rejects.toMatchObject({ code: "conflict" });
  });

  it("is rejected for closed and unknown accounts", async () => {
    const { account } = await world.account();
    await world.ctx.db.update(accounts).set({ closedAt: world.clock.now() }).where(eq(accounts.id, account.id));
    await expect(suspend(world.ctx, operator, { accountId: account.id, reason: "Late" })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(suspend(world.ctx, operator, { accountId: 999_999, reason: "Who" })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
