/** Acts on several subscriptions, and the billing history as CSV, through the API. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { billingCsv } from "../domain/payments/billing-csv.server.ts";
import { reconcile } from "../domain/payments/reconcile.server.ts";
import { call } from "../testing/api-client.ts";
import { periodOf, subscribe } from "../testing/purchases.ts";
import { createWorld, payWith, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  expect((await reconcile(world.ctx)).differences).toEqual([]);
  await world.close();
});

const holder = async () => {
  const { caller, token } = await world.account();
  const ids = [];
  for (const { code } of world.routes.slice(0, 2)) {
    ids.push((await subscribe(world, caller, { periodId: periodOf(world, code) })).id);
  }
  return { caller, token, ids };
};

it("renews a selection with one payment, and the same key orders it once", async () => {
  const { token, ids } = await holder();
  const order = () =>
    call(world, "POST", "/subscriptions/renew", {
      token,
      body: { subscription_ids: ids, subscription_term: "3_months" },
      headers: { "Idempotency-Key": "renew-both" },
    });
  const { status, body } = await order();
  expect(status).toBe(200);
  expect((await order()).body).toEqual(body);
  expect(body.lines).toHaveLength(2);
  await payWith(world, { id: body.payment_intent_id, clientSecret: body.client_secret });
  const paid = await call(world, "POST", "/subscriptions/payment-success", {
    token,
    body: { payment_intent_id: body.payment_intent_id },
  });
  expect(paid.body.subscriptions).toMatchObject(
    ids.map((id) => ({ id, end_date: "2027-03-20", renewal_term: "3_months", auto_renew: true })),
  );
});

it("sets auto-renewal and cancels, with a result for each subscription", async () => {
  const { token, ids } = await holder();
  const setOff = { token, body: { subscription_ids: ids, auto_renew: false } };
  const off = await call(world, "PUT", "/subscriptions/auto-renew", setOff);
  expect(off.body.results).toMatchObject(
    ids.map((id) => ({ subscription: { id, auto_renew: false, next_charge: null }, changed: true, reason: null })),
  );
  await call(world, "POST", `/subscriptions/${ids[0]}/cancel`, { token });
  const cancelled = await call(world, "POST", "/subscriptions/cancel", { token, body: { subscription_ids: ids } });
  expect(cancelled.body.results).toMatchObject([
    { subscription: { id: ids[0] }, changed: false, reason: "The subscription is already cancelled" },
    { subscription: { id: ids[1], status: "cancelled" }, changed: true, reason: null },
  ]);
});

it("rejects an empty selection, and one that is too large", async () => {
  const { token, ids } = await holder();
  const many = Array.from({ length: 51 }, (_, index) => (ids[0] ?? 0) + index);
  for (const subscription_ids of [[], many]) {
    const reply = await call(world, "POST", "/subscriptions/renew", { token, body: { subscription_ids } });
    expect(reply.status).toBe(422);
    expect(reply.body.errors[0].path).toBe("subscription_ids");
  }
});

it("exports the billing history as the portal does", async () => {
  const { caller, token } = await holder();
  const reply = await call(world, "GET", "/subscriptions/invoices/export", { token });
  expect(reply.headers).toMatchObject({ "Content-Type": "text/csv; charset=utf-8; header=present" });
  expect(reply.text).toBe(await billingCsv(world.ctx, caller));
  expect(reply.text.split("\r\n")).toHaveLength(4);
});
