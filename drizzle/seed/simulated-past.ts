/** A context in the past with simulated payments, in which seeds call the ordinary verbs. */
import { randomBytes } from "node:crypto";
import type { Caller } from "#app/domain/accounts/caller.ts";
import { type Clock, fixedClock } from "#app/domain/clock.ts";
import type { Context } from "#app/domain/context.ts";
import type { Day } from "#app/domain/dates.ts";
import { outboxOnly } from "#app/domain/notifications/mailer.ts";
import { simulatedPayments } from "#app/domain/payments/simulated.server.ts";
import type { Simulator } from "#app/domain/payments/simulator.server.ts";
import { payWithTestCard } from "#app/domain/payments/test-card.server.ts";
import { testSeller } from "#app/domain/payments/test-seller.ts";
import { memoryRateLimiter } from "#app/domain/rate-limit/memory.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import type { OrderItem } from "#app/domain/subscriptions/order-items.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { webhookTransport } from "#app/domain/webhooks/transport.server.ts";
import type { Db } from "#app/platform/db.server.ts";
import { jsonLog } from "#app/platform/log.server.ts";
import { sealerOf } from "#app/platform/sealer.server.ts";

/** `appUrl` is the site's address, used for links in mail. */
export type Base = { db: Db; clock: Clock; appUrl: string };
export type World = { ctx: Context; simulator: Simulator };
/** A context at 10:00 UTC on a day. */
export const worldAt = ({ db, appUrl }: Base, day: Day): World => {
  const clock = fixedClock(`${day}T10:00:00Z`);
  const random = { bytes: (length: number) => randomBytes(length) };
  const log = jsonLog(() => {});
  const { payments, client, simulator } = simulatedPayments(
    { db, clock, random, log },
    // `buyNow` confirms each payment itself, so webhooks are not needed.
    { baseUrl: appUrl, deliver: async () => ({ status: 200 }) },
  );
  const settings = {
    appUrl,
    testMode: true,
    requireHttps: false,
    trustedProxies: 0,
    renewalCapPercent: 10,
    renewalConcurrency: 4,
    termsVersion: "2025-11-01",
    seller: testSeller,
    paymentClient: client,
  };
  return {
    ctx: {
      db,
      clock,
      deviceClock: clock,
      random,
      log,
      // Seeds encrypt nothing, so any key will do.
      sealer: sealerOf(randomBytes(32)),
      payments,
      tax: null,
      rateLimiter: memoryRateLimiter(),
      mailer: outboxOnly,
      // Nobody follows changes while the demo is written.
      changeSignal: () => () => {},
      webhooks: webhookTransport({ allowPrivate: false }),
      settings,
    },
    simulator,
  };
};

/** Orders, pays and confirms. */
export const buyNow = async (
  { ctx, simulator }: World,
  caller: Caller,
  order: { items: OrderItem[]; autoRenew: boolean },
): Promise<void> => {
  const { intent } = await checkout(ctx, caller, order);
  await payWithTestCard(simulator, intent, card, ctx.settings.appUrl);
  await confirmPayment(ctx, caller, { paymentIntentId: intent.id });
};

const card = { number: "4242424242424242", expMonth: 12, expYear: 2039, cvc: "123" };
