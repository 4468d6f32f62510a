/** Checkout of orders that are gone or whose price lock has ended, and repeated returns from a card setup. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { beginCardSetup } from "#app/domain/payments/cards.server.ts";
import { listCards, removeCard } from "#app/domain/payments/manage-cards.server.ts";
import { maxOpenOrders } from "#app/domain/payments/order.ts";
import { payWithTestCard } from "#app/domain/payments/test-card.server.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { settleIntent } from "#app/domain/subscriptions/settle.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { payWith } from "#app/testing/world.ts";
import { orders } from "#drizzle/schema/index.ts";
import { loader as cardReturn } from "../billing/card-return.ts";
import { loader as done } from "./done.tsx";
import { loader as order, action as pay } from "./order.tsx";
import { loader as back } from "./return.ts";

const site = "http://localhost:3000";
let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("late");
});
afterAll(() => portal.close());

const begin = () =>
  checkout(portal.service.ctx, portal.caller, {
    items: [{ periodId: portal.periodId, term: "1_month" }],
    autoRenew: true,
  });
const lapse = (orderId: number) =>
  portal.service.ctx.db
    .update(orders)
    .set({ expiresAt: new Date("2026-01-01T00:00:00Z") })
    .where(eq(orders.id, orderId));
const simulator = () => {
  if (!portal.service.testMode) throw new Error("The simulator is missing");
  return portal.service.testMode.simulator;
};

/** Where the page redirects to, and whether it sets a toast. */
const redirectOf = async (page: (args: never) => unknown, path: string, body?: URLSearchParams) => {
  const init = body ? { method: "POST", body } : {};
  const request = new Request(`${site}${path}`, { ...init, headers: { Cookie: portal.cookie } });
  const params = { order_id: path.match(/\d+/)?.[0] };
  try {
    await page({ request, params, context: {} } as never);
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    const hasToast = thrown.headers.get("Set-Cookie")?.includes("srds_toast") ?? false;
    const { status } = thrown;
    return { to: thrown.headers.get("Location"), hasToast, ...(status >= 400 ? { status } : {}) };
  }
  throw new Error("The page sends nobody anywhere");
};

it("redirects from checkout once the price lock has ended, even for a form opened before", async () => {
  const { orderId, intent } = await begin();
  await lapse(orderId);
  const toRouteWithToast = { to: expect.stringMatching(/^\/routes\/\d+$/), hasToast: true };
  expect(await redirectOf(order, `/checkout/${orderId}`)).toEqual(toRouteWithToast);
  const form = new URLSearchParams({ intent: "pay", number: "4242424242424242", expiry: "12 / 34", cvc: "123" });
  expect(await redirectOf(pay, `/checkout/${orderId}`, form)).toEqual(toRouteWithToast);
  expect((await portal.service.ctx.payments.getIntent(intent.id)).status).toBe("requires_payment_method");
});

it("leads from the payment form of an order that a newer one replaced to the basket, with a message", async () => {
  const { orderId } = await begin();
  for (let opened = 0; opened < maxOpenOrders; opened += 1) await begin();
  const path = `/checkout/${orderId}`;
  const form = new URLSearchParams({ intent: "pay", number: "4242424242424242", expiry: "12 / 34", cvc: "123" });
  expect(await redirectOf(pay, path, form)).toEqual({ to: "/basket", hasToast: true });
  expect(await redirectOf(done, `${path}/done`)).toMatchObject({ to: path });
  expect(await redirectOf(order, path)).toMatchObject({ to: null, status: 404 });
  expect(await redirectOf(back, `${path}/return`)).toMatchObject({ to: null, status: 404 });
});

it("tells someone who paid too late that the payment is refunded", async () => {
  const { orderId, intent, amountCents } = await begin();
  await lapse(orderId);
  await payWith({ simulator: simulator() }, intent);
  await settleIntent(portal.service.ctx, intent.id);
  expect(await redirectOf(back, `/checkout/${orderId}/return`)).toMatchObject({ to: `/checkout/${orderId}?failed` });
  expect(await redirectOf(order, `/checkout/${orderId}?failed`)).toMatchObject({ to: `/checkout/${orderId}/done` });
  const request = new Request(`${site}/checkout/${orderId}/done`, { headers: { Cookie: portal.cookie } });
  expect(await done({ request, params: { order_id: String(orderId) }, context: {} } as never)).toMatchObject({
    returnReason: "paid_too_late",
    amountCents,
  });
});

it("saves a card once and shows one toast, however often the return page is opened", async () => {
  const setup = await beginCardSetup(portal.service.ctx, portal.caller);
  const card = { number: "5555555555554444", expMonth: 12, expYear: 2034, cvc: "123" };
  const returnPath = `/billing/cards/return?setup_intent=${setup.id}`;
  await payWithTestCard(simulator(), setup, card, `${site}${returnPath}`);
  expect(await redirectOf(cardReturn, returnPath)).toEqual({ to: "/billing/cards", hasToast: true });
  const [saved] = await listCards(portal.service.ctx, portal.caller);
  await removeCard(portal.service.ctx, portal.caller, { id: saved?.id ?? 0 });
  expect(await redirectOf(cardReturn, returnPath)).toEqual({ to: "/billing/cards", hasToast: false });
  expect(await listCards(portal.service.ctx, portal.caller)).toEqual([]);
});
