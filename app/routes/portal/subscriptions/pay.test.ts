/** The link in mails about a renewal that was not paid. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addDays, dayOf } from "#app/domain/dates.ts";
import { chargeDueRenewals } from "#app/domain/subscriptions/charge-renewals.server.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { testCards } from "#app/testing/purchases.ts";
import { payWith } from "#app/testing/world.ts";
import { accounts, orders, outboxMessages, subscriptions } from "#drizzle/schema/index.ts";
import { loader } from "./pay.tsx";

let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("pastdue");
});
afterAll(() => portal.close());

/** What the page shows, or where it redirects to. */
const open = async (link: string, cookie = portal.cookie) => {
  const { pathname, search } = new URL(link);
  const request = new Request(`http://localhost:3000${pathname}${search}`, { headers: { Cookie: cookie } });
  const params = { subscription_id: pathname.split("/")[2] };
  try {
    return await loader({ request, params, context: {} } as never);
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    return { status: thrown.status, to: thrown.headers.get("Location") };
  }
};

it("leads to the same payment however often it is opened, after signing in, until the renewal is paid", async () => {
  const { ctx, testMode } = portal.service;
  if (!testMode) throw new Error("The simulator is missing");
  const items = [{ periodId: portal.periodId, term: "1_month" as const }];
  const order = await checkout(ctx, portal.caller, { items, autoRenew: true });
  await payWith(testMode, order.intent, testCards.declinedOffSession);
  const [bought] = await confirmPayment(ctx, portal.caller, { paymentIntentId: order.intent.id });
  const id = bought?.id ?? 0;
  const endDate = addDays(dayOf(ctx.clock.now()), 3);
  await ctx.db
    .update(subscriptions)
    .set({ startDate: addDays(endDate, -30), endDate })
    .where(eq(subscriptions.id, id));
  await chargeDueRenewals(ctx);
  const mails = await ctx.db
    .select()
    .from(outboxMessages)
    .where(eq(outboxMessages.accountId, portal.caller.account.id));
  const link = /http\S+\/pay\S+/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "";

  const path = `/subscriptions/${id}/pay?end=${endDate}`;
  expect(await open(link, "")).toEqual({ status: 302, to: `/sign-in?${new URLSearchParams({ next: path })}` });
  const payment = await open(link);
  expect(payment).toEqual({ status: 302, to: expect.stringMatching(/^\/checkout\/\d+$/) });
  expect(await open(link)).toEqual(payment);
  expect(await open(link.replace(`/${id}/`, "/99999/"))).toEqual({ status: 404, to: null });

  const own = eq(accounts.id, portal.caller.account.id);
  await ctx.db.update(accounts).set({ standing: "suspended" }).where(own);
  expect(await open(link)).toMatchObject({ refusal: "Your account is suspended" });
  await ctx.db.update(accounts).set({ standing: "good" }).where(own);

  const orderId = Number("to" in payment ? payment.to?.split("/").at(-1) : 0);
  const [renewal] = await ctx.db.select().from(orders).where(eq(orders.id, orderId));
  const intent = await ctx.payments.getIntent(renewal?.paymentIntentId ?? "");
  await payWith(testMode, intent);
  const [renewed] = await confirmPayment(ctx, portal.caller, { paymentIntentId: intent.id });
  expect(await open(link)).toMatchObject({ id, paidUntil: renewed?.endDate });
});
