import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accounts } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { allActivity } from "../accounts/activity.server.ts";
import { recognise } from "../accounts/session.server.ts";
import { grantOperator, revokeOperator } from "./operators.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const roleOf = async (token: string) => (await recognise(world.ctx, token, "bearer"))?.account.role;

it("The operator role is granted and revoked by e-mail address and logged; the last operator stays unless forced", async () => {
  const { account, caller, token } = await world.account("ops");
  const email = account.email.toUpperCase();
  expect(await grantOperator(world.ctx, { email })).toBe(true);
  expect(await grantOperator(world.ctx, { email })).toBe(false);
  expect(await roleOf(token)).toBe("operator");

  await expect(revokeOperator(world.ctx, { email, force: false })).rejects.toMatchObject({ code: "conflict" });
  expect(await roleOf(token)).toBe("operator");
  expect(await revokeOperator(world.ctx, { email, force: true })).toBe(true);
  expect(await revokeOperator(world.ctx, { email, force: true })).toBe(false);
  expect(await roleOf(token)).toBe("holder");
  expect((await allActivity(world.ctx, caller)).slice(0, 2).map(({ action, actor }) => [action, actor])).toEqual([
    ["operator.revoked", "service"],
    ["operator.granted", "service"],
  ]);
});

it("A suspended operator does not count as one", async () => {
  const [suspended, { account }] = [await world.account(), await world.account()];
  await grantOperator(world.ctx, suspended.account);
  await grantOperator(world.ctx, account);
  await world.ctx.db.update(accounts).set({ standing: "suspended" }).where(eq(accounts.id, suspended.account.id));
  const revoked = (email: string, force = false) => revokeOperator(world.ctx, { email, force });
  await expect(revoked(account.email)).rejects.toMatchObject({ code: "conflict" });
  expect(await revoked(suspended.account.email)).toBe(true);
  expect(await revoked(account.email, true)).toBe(true);
});

it("One of two operators stays when both are revoked at the same time", async () => {
  const [one, two] = [await world.account("one"), await world.account("two")];
  await grantOperator(world.ctx, one.account);
  await grantOperator(world.ctx, two.account);
  const outcomes = await Promise.allSettled(
    [one, two].map(({ account }) => revokeOperator(world.ctx, { email: account.email, force: false })),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

it("An address without an account is rejected", async () => {
  const nobody = { email: "nobody@example.com" };
  await expect(grantOperator(world.ctx, nobody)).rejects.toMatchObject({ code: "not_found" });
  await expect(revokeOperator(world.ctx, { ...nobody, force: true })).rejects.toMatchObject({ code: "not_found" });
});
