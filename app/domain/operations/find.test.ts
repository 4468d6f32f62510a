import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, subscriptions } from "#drizzle/schema/index.ts";
import { periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { OperatorCaller } from "../accounts/caller.ts";
import { issueKey } from "../api-keys/issue.server.ts";
import { cancelSubscription } from "../subscriptions/manage.server.ts";
import { getAccountFile, getRefundable } from "./account-file.server.ts";
import { auditCsv, listAudit } from "./audit.server.ts";
import { findAccounts, getAccountProfile } from "./find-accounts.server.ts";
import { comingRenewals, findSubscriptions } from "./find-subscriptions.server.ts";
import { signOutEverywhere } from "./sign-out.server.ts";

let world: World;
let operator: OperatorCaller;
beforeAll(async () => {
  world = await createWorld({ now: "2026-11-20T09:30:00Z" });
  operator = await world.operator();
});
afterAll(() => world.close());

describe("Accounts", () => {
  it("are found by part of address or username, id, plan and standing, page by page", async () => {
    const ids: number[] = [];
    for (const name of ["harbour_one", "harbour_two", "harbourXtwo"]) ids.push((await world.account(name)).account.id);
    await world.ctx.db.update(accounts).set({ plan: "professional" }).where(eq(accounts.username, "harbour_two"));
    const find = async (filter: Parameters<typeof findAccounts>[2]) =>
      (await findAccounts(world.ctx, operator, filter, { limit: 10 })).rows.map(({ username }) => username);
    expect(await find({ q: "HARBOUR" })).toEqual(["harbourXtwo", "harbour_two", "harbour_one"]);
    expect(await find({ q: "harbour_t" })).toEqual(["harbour_two"]);
    expect(await find({ q: "harbour_one@example" })).toEqual(["harbour_one"]);
    expect(await find({ q: String(ids[1]) })).toEqual(["harbour_two"]);
    expect(await find({ plan: "professional" })).toEqual(["harbour_two"]);
    expect(await find({ standing: "suspended" })).toEqual([]);
    const first = await findAccounts(world.ctx, operator, { q: "harbour" }, { limit: 2 });
    const cursor = first.nextCursor ?? "";
    const second = await findAccounts(world.ctx, operator, { q: "harbour" }, { limit: 2, cursor });
    expect(second).toMatchObject({ rows: [{ username: "harbour_one" }], nextCursor: null });
    await expect(findAccounts(world.ctx, operator, {}, { limit: 2, cursor: "nonsense" })).rejects.toMatchObject({
      code: "invalid",
    });
  });

  it("are listed with their number of active subscriptions", async () => {
    const [none, two] = [await world.account(), await world.account()];
    await subscribe(world, two.caller);
    await subscribe(world, two.caller, { periodId: periodOf(world, world.routes[1]?.code) });
    const { rows } = await findAccounts(world.ctx, operator, {}, { limit: 100 });
    const runningOf = (id: number) => rows.find((row) => row.id === id)?.runningSubscriptions;
    expect([runningOf(none.account.id), runningOf(two.account.id)]).toEqual([0, 2]);
  });

  it("are shown with all that belongs to them, keys without secrets", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    await issueKey(world.ctx, caller, { api_key_name: "Rate sync", user: account.username });
    expect(await getAccountProfile(world.ctx, operator, { id: account.id })).toMatchObject({
      username: account.username,
      openSessions: 1,
    });
    const file = await getAccountFile(world.ctx, operator, { id: account.id });
    expect(file).toMatchObject({ runningSubscriptions: 1, keys: [{ name: "Rate sync", lastUsedAt: null }] });
    expect(JSON.stringify(file.keys)).not.toContain("secret");
    expect(file.usage).toHaveLength(30);
    const [invoice] = file.invoices;
    expect(invoice).toMatchObject({ kind: "invoice", amountCents: file.paidCents, refundableCents: file.paidCents });
    const request = { accountId: account.id, invoiceId: invoice?.id ?? 0 };
    expect(await getRefundable(world.ctx, operator, request)).toEqual(invoice);
    await expect(
      getRefundable(world.ctx, operator, { ...request, accountId: operator.account.id }),
    ).rejects.toMatchObject({ code: "not_found" });
    await expect(getAccountProfile(world.ctx, operator, { id: 999_999 })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("Subscriptions", () => {
  it("are found by derived status, account and route, ordered by end date", async () => {
    const { account, caller } = await world.account();
    const [one, two, three] = world.routes.map(({ code }) => code);
    const soon = await subscribe(world, caller, { periodId: periodOf(world, one) });
    const long = await subscribe(world, caller, { periodId: periodOf(world, two), term: "12_months" });
    const ended = await subscribe(world, caller, { periodId: periodOf(world, three) });
    await cancelSubscription(world.ctx, caller, { id: long.id });
    await world.ctx.db.update(subscriptions).set({ endDate: "2026-11-27" }).where(eq(subscriptions.id, soon.id));
    await world.ctx.db
      .update(subscriptions)
      .set({ startDate: "2026-10-20", endDate: "2026-11-20" })
      .where(eq(subscriptions.id, ended.id));
    const find = async (filter: Parameters<typeof findSubscriptions>[2]) =>
      (await findSubscriptions(world.ctx, operator, { account: account.id, ...filter }, { limit: 10 })).rows;
    expect((await find({})).map(({ id, status }) => [id, status])).toEqual([
      [ended.id, "expired"],
      [long.id, "cancelled"],
      [soon.id, "expiring_soon"],
    ]);
    expect((await find({ order: "ends" })).map(({ id }) => id)).toEqual([ended.id, soon.id, long.id]);
    for (const status of ["expired", "cancelled", "expiring_soon"] as const) {
      expect((await find({ status })).map((row) => row.status)).toEqual([status]);
    }
    expect(await find({ status: "active" })).toEqual([]);
    expect((await find({ route: one?.toLowerCase() ?? "" })).map(({ id }) => id)).toEqual([soon.id]);

    const first = await findSubscriptions(world.ctx, operator, { account: account.id, order: "ends" }, { limit: 2 });
    const next = { limit: 2, cursor: first.nextCursor ?? "" };
    const second = await findSubscriptions(world.ctx, operator, { account: account.id, order: "ends" }, next);
    expect(second.rows.map(({ id }) => id)).toEqual([long.id]);
  });

  it("that renew are listed on their charge date with the announced price", async () => {
    const { caller } = await world.account();
    const renewing = await subscribe(world, caller, { periodId: periodOf(world) });
    await subscribe(world, (await world.account()).caller, { autoRenew: false });
    world.clock.set("2026-12-12T08:00:00Z");
    const [found] = (await findSubscriptions(world.ctx, operator, { account: caller.account.id }, { limit: 1 })).rows;
    expect(found?.nextCharge).toEqual({ date: "2026-12-17", amountCents: renewing.nextCharge?.amountCents });
    const days = await comingRenewals(world.ctx, operator, { days: 7 });
    expect(days.map(({ day }) => day)).toEqual(
      ["12", "13", "14", "15", "16", "17", "18"].map((day) => `2026-12-${day}`),
    );
    expect(days[5]).toMatchObject({ day: "2026-12-17", amountCents: expect.any(Number) });
    expect(days[5]?.charges).toBeGreaterThan(0);
    world.clock.set("2026-11-20T09:30:00Z");
  });
});

describe("The audit log", () => {
  it("is filtered by account, actor and action, paged, and exported as CSV", async () => {
    const { account } = await world.account();
    for (let times = 0; times < 3; times++) await signOutEverywhere(world.ctx, operator, { accountId: account.id });
    const acts = async (filter: Parameters<typeof listAudit>[2]) =>
      (await listAudit(world.ctx, operator, filter, { limit: 10 })).rows.map(({ action }) => action);
    expect(await acts({ account: account.id })).toEqual([
      ...Array.from({ length: 3 }, () => "session.all_revoked"),
      "account.registered",
    ]);
    expect(await acts({ account: account.id, action: "account.registered" })).toEqual(["account.registered"]);
    expect(await acts({ account: account.id, actor: operator.account.id })).toHaveLength(3);
    expect(await acts({ action: "no.such" })).toEqual([]);
    const [first] = (await listAudit(world.ctx, operator, { account: account.id }, { limit: 1 })).rows;
    expect(first).toMatchObject({
      account: { id: account.id, username: account.username },
      actor: { id: operator.account.id },
    });
    const lines = (await auditCsv(world.ctx, operator, { account: account.id })).trim().split("\r\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe("id,occurred_at,action,account_id,account,actor_account_id,actor,details");
  });
});
