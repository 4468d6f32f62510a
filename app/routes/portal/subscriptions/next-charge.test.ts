/** What the pages of subscriptions show of a renewal whose charge was declined. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addDays, dayOf } from "#app/domain/dates.ts";
import { chargeDueRenewals } from "#app/domain/subscriptions/charge-renewals.server.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { dayInWords } from "#app/domain/wording.ts";
import { openPortalService } from "#app/testing/portal-service.ts";
import { testCards } from "#app/testing/purchases.ts";
import { payWith } from "#app/testing/world.ts";
import { outboxMessages, renewalAttempts, subscriptions } from "#drizzle/schema/index.ts";
import { loader as list } from "./index.tsx";
import { loader as page } from "./subscription.tsx";

let portal: Awaited<ReturnType<typeof openPortalService>>;
beforeAll(async () => {
  portal = await openPortalService("declined");
});
afterAll(() => portal.close());

const load = async <Loader extends (args: never) => unknown>(loader: Loader, path: string, id?: number) => {
  const request = new Request(`http://localhost:3000${path}`, { headers: { Cookie: portal.cookie } });
  const params = id === undefined ? {} : { subscription_id: String(id) };
  return (await loader({ request, params, context: {} } as never)) as Awaited<ReturnType<Loader>>;
};

it("After a decline list, page and timeline name the next attempt, as the e-mail does, and none after the last one", async () => {
  const { ctx, testMode } = portal.service;
  if (!testMode) throw new Error("The simulator is missing");
  const { db } = ctx;
  const order = await checkout(ctx, portal.caller, {
    items: [{ periodId: portal.periodId, term: "1_month" }],
    autoRenew: true,
  });
  await payWith(testMode, order.intent, testCards.declinedOffSession);
  const [bought] = await confirmPayment(ctx, portal.caller, { paymentIntentId: order.intent.id });
  const id = bought?.id ?? 0;
  const endDate = addDays(dayOf(ctx.clock.now()), 3);
  await db
    .update(subscriptions)
    .set({ startDate: addDays(endDate, -30), endDate })
    .where(eq(subscriptions.id, id));

  expect(await chargeDueRenewals(ctx)).toEqual({ succeeded: 0, declined: 1 });
  const [attempt] = await db.select().from(renewalAttempts);
  const nextDay = addDays(attempt?.attemptedOn ?? "", 1);
  const mails = await db.select().from(outboxMessages).where(eq(outboxMessages.accountId, portal.caller.account.id));
  expect(mails.at(-1)?.text).toContain(`We will try again on ${dayInWords(nextDay)};`);
  const listed = await load(list, "/subscriptions");
  expect(listed.groups).toMatchObject([{ title: "Active", rows: [{ id, nextCharge: { date: nextDay } }] }]);
  expect(listed.outlook).toMatchObject({ renewals: 1, next: { date: nextDay } });
  const shown = await load(page, `/subscriptions/${id}`, id);
  expect(shown.subscription.nextCharge?.date).toBe(nextDay);
  expect(shown.offers.map(({ nextCharge }) => nextCharge?.date)).toEqual(Array(5).fill(nextDay));
  expect(shown.timeline.slice(-2)).toMatchObject([
    { what: "charge", on: nextDay },
    { what: "next_term", on: endDate },
  ]);

  await db.update(renewalAttempts).set({ attemptedOn: addDays(endDate, -1) });
  expect((await load(list, "/subscriptions")).groups).toMatchObject([{ rows: [{ id, nextCharge: null }] }]);
  const last = await load(page, `/subscriptions/${id}`, id);
  expect(last.subscription.nextCharge).toBeNull();
  expect(last.timeline.at(-1)).toMatchObject({ what: "end", on: endDate });
});
