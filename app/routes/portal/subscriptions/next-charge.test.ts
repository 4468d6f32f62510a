/** What the pages of subscriptions show of a renewal whose charge was declined. */
import { createCookie } from "@remix-run/node";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { getService, stop } from "#app/context.server.ts";
import type { Caller } from "#app/domain/accounts/caller.ts";
import { register } from "#app/domain/accounts/register.server.ts";
import { openSession } from "#app/domain/accounts/session.server.ts";
import { browse } from "#app/domain/catalogue/browse.server.ts";
import { importCatalogue } from "#app/domain/catalogue/import.server.ts";
import { addDays, dayOf } from "#app/domain/dates.ts";
import { chargeDueRenewals } from "#app/domain/subscriptions/charge-renewals.server.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { cloneDatabase } from "#app/testing/database.ts";
import { testCards } from "#app/testing/purchases.ts";
import { payWith } from "#app/testing/world.ts";
import { outboxMessages, renewalAttempts, subscriptions } from "#drizzle/schema/index.ts";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import { loader as list } from "./index.tsx";
import { loader as page } from "./subscription.tsx";

let service: Awaited<ReturnType<typeof getService>>;
let caller: Caller;
let cookie: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const database = await cloneDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
  vi.stubEnv("SECRETS_KEY", Buffer.alloc(32, "tests").toString("base64"));
  service = await getService();
  const { ctx } = service;
  const { source } = readDemoCatalogue({ today: dayOf(ctx.clock.now()), routeCodes: ["C-CNSHA-NLRTM-PEL9"] });
  await importCatalogue(ctx, source);
  const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };
  const input = { email: "declined@example.com", username: "declined", password: "correct horse battery" };
  const account = await register(ctx, input, origin);
  const { token } = await openSession(ctx, account, "portal", origin);
  caller = { account, proof: { scheme: "portal", sessionId: "" } };
  cookie = (await createCookie("srds_session").serialize(token)).split(";")[0] ?? "";
  close = async () => {
    await stop();
    await database.drop();
  };
});
afterAll(() => close());

const load = async <Loader extends (args: never) => unknown>(loader: Loader, path: string, id?: number) => {
  const request = new Request(`http://localhost:3000${path}`, { headers: { Cookie: cookie } });
  const params = id === undefined ? {} : { subscription_id: String(id) };
  return (await loader({ request, params, context: {} } as never)) as Awaited<ReturnType<Loader>>;
};

it("After a decline list, page and timeline name the next attempt, as the mail does, and none after the last one", async () => {
  const { ctx, testMode } = service;
  if (!testMode) throw new Error("The simulator is missing");
  const { db } = ctx;
  const periodId = (await browse(ctx, {}, { limit: 1 })).rows[0]?.periods[0]?.id ?? 0;
  const order = await checkout(ctx, caller, { items: [{ periodId, term: "1_month" }], autoRenew: true });
  await payWith(testMode, order.intent, testCards.declinedOffSession);
  const [bought] = await confirmPayment(ctx, caller, { paymentIntentId: order.intent.id });
  const id = bought?.id ?? 0;
  const endDate = addDays(dayOf(ctx.clock.now()), 3);
  await db
    .update(subscriptions)
    .set({ startDate: addDays(endDate, -30), endDate })
    .where(eq(subscriptions.id, id));

  expect(await chargeDueRenewals(ctx)).toEqual({ succeeded: 0, declined: 1 });
  const [attempt] = await db.select().from(renewalAttempts);
  const nextDay = addDays(attempt?.attemptedOn ?? "", 1);
  const mails = await db.select().from(outboxMessages).where(eq(outboxMessages.accountId, caller.account.id));
  expect(mails.at(-1)?.text).toContain(`We will try again on ${nextDay}.`);
  const listed = await load(list, "/subscriptions");
  expect(listed.running).toMatchObject([{ id, nextCharge: { date: nextDay } }]);
  expect(listed.outlook).toMatchObject({ renewals: 1, next: { date: nextDay } });
  const shown = await load(page, `/subscriptions/${id}`, id);
  expect(shown.subscription.nextCharge?.date).toBe(nextDay);
  expect(shown.offers.map(({ nextCharge }) => nextCharge?.date)).toEqual(Array(5).fill(nextDay));
  expect(shown.timeline.at(-1)).toMatchObject({ what: "charge", on: nextDay });

  await db.update(renewalAttempts).set({ attemptedOn: addDays(endDate, -1) });
  expect((await load(list, "/subscriptions")).running).toMatchObject([{ id, nextCharge: null }]);
  const last = await load(page, `/subscriptions/${id}`, id);
  expect(last.subscription.nextCharge).toBeNull();
  expect(last.timeline.at(-1)).toMatchObject({ what: "end", on: endDate });
});
