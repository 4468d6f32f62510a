/** The acts of workers: customers buy, pay, retry and change subscriptions; the provider redelivers webhooks; jobs run. */
import { desc, eq, isNotNull, sql } from "drizzle-orm";
import { accountColumns } from "#app/domain/accounts/account-columns.server.ts";
import type { Account, Caller } from "#app/domain/accounts/caller.ts";
import { register } from "#app/domain/accounts/register.server.ts";
import { openSession, recognise } from "#app/domain/accounts/session.server.ts";
import { browse } from "#app/domain/catalogue/browse.server.ts";
import { hashOf } from "#app/domain/catalogue/text-hash.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { runDueWork } from "#app/domain/jobs/due-work.server.ts";
import { sendDueMail } from "#app/domain/notifications/outbox.server.ts";
import type { PaymentIntent } from "#app/domain/payments/gateway.ts";
import type { Simulator } from "#app/domain/payments/simulator.server.ts";
import { signWebhook } from "#app/domain/payments/stripe.server.ts";
import { payWithTestCard } from "#app/domain/payments/test-card.server.ts";
import type { Term } from "#app/domain/pricing/discounts.ts";
import { checkout } from "#app/domain/subscriptions/checkout.server.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { cancelSubscription, resumeSubscription, setAutoRenew } from "#app/domain/subscriptions/manage.server.ts";
import { handlePaymentEvent } from "#app/domain/subscriptions/payment-events.server.ts";
import { changeTerm, renewSubscription } from "#app/domain/subscriptions/renew.server.ts";
import { confirmPayment, settleIntent } from "#app/domain/subscriptions/settle.server.ts";
import { accounts, orders, simulatorObjects } from "#drizzle/schema/index.ts";
import type { Brief } from "./fate.ts";

export type Act = { name: string; run(): Promise<unknown> };

type Stage = {
  ctx: Context;
  simulator: Simulator;
  /** In [0, 1). */
  random: () => number;
  brief: Brief;
  appUrl: string;
  webhookSecret: string;
};

/** @returns a function that chooses the next act */
export const actsOf = (stage: Stage): (() => Act) => {
  const { ctx, simulator } = stage;
  const sweep: Act = { name: "sweep", run: () => runDueWork(ctx) };
  const mail: Act = { name: "mail", run: () => sendDueMail(ctx) };
  const redeliver: Act = { name: "redeliver", run: () => simulator.redeliver() };
  if (stage.brief.work === "due") {
    const round = [redeliver, sweep, mail];
    let turn = 0;
    return () => round[turn++ % round.length] ?? sweep;
  }
  const weighted: [percent: number, Act][] = [
    [32, sweep],
    [8, mail],
    [6, redeliver],
    [22, { name: "purchase", run: () => purchase(stage) }],
    [11, { name: "confirm again", run: () => confirmAgain(stage) }],
    [11, { name: "deliver again", run: () => deliverAgain(stage) }],
    [8, { name: "change of mind", run: () => changeOfMind(stage) }],
    [2, { name: "refund", run: () => refund(stage) }],
  ];
  // A service does this at its start.
  let first: Act | null = redeliver;
  return () => {
    const begin = first;
    first = null;
    if (begin) return begin;
    const at = stage.random() * 100;
    let below = 0;
    for (const [percent, act] of weighted) {
      below += percent;
      if (at < below) return act;
    }
    return sweep;
  };
};

// ── Buying ──────────────────────────────────────────────────────────────────────────────────────────

const purchase = async (stage: Stage): Promise<void> => {
  const { ctx, random } = stage;
  const known = await everybody(ctx);
  const isNew = known.length === 0 || (known.length < stage.brief.mostAccounts && random() < 0.5);
  if (!isNew && random() < 0.6) return;
  const caller = await callerOf(ctx, isNew ? await newcomer(stage) : pick(stage, known));
  const { rows } = await browse(ctx, {}, { limit: 100 });
  const onSale = rows.flatMap(({ periods }) => periods.map(({ id }) => id));
  const periods = new Set(Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(stage, onSale)));
  const items = [...periods].map((periodId) => ({ periodId, term: someTerm(stage) }));
  await payAndConfirm(stage, caller, (await checkout(ctx, caller, { items, autoRenew: random() < 0.85 })).intent);
};

/** One in ten never pays. Of the others, three in ten never confirm, which leaves it to the provider's webhook. */
const payAndConfirm = async (stage: Stage, caller: Caller, intent: PaymentIntent): Promise<void> => {
  const { ctx, random } = stage;
  if (random() < 0.1) return;
  if (!(await pay(stage, intent))) return;
  if (random() < 0.3) return;
  const times = random() < 0.25 ? 3 : 1;
  await Promise.all(
    Array.from({ length: times }, () => confirmPayment(ctx, caller, { paymentIntentId: intent.id }).catch(refused)),
  );
};

const pay = async (stage: Stage, intent: PaymentIntent): Promise<boolean> => {
  const { simulator, appUrl } = stage;
  for (const number of [someCard(stage), cards.works]) {
    const card = { number, expMonth: 12, expYear: 2039, cvc: "123" };
    try {
      const { status } = await payWithTestCard(simulator, intent, card, `${appUrl}/checkout`);
      if (status === "requires_action") {
        await simulator.completeAuthentication(intent.id, intent.clientSecret, stage.random() < 0.8);
      }
      return true;
    } catch (error) {
      refused(error);
    }
  }
  return false;
};

const cards = {
  works: "4242424242424242",
  declined: "4000000000000002",
  declinedAtRenewal: "4000000000000341",
  asksOnce: "4000002500003155",
  asksAlways: "4000002760003184",
  disputed: "4000000000000259",
} as const;

const someCard = ({ random }: Stage): string => {
  const at = random();
  if (at < 0.7) return cards.works;
  if (at < 0.78) return cards.declined;
  if (at < 0.86) return cards.declinedAtRenewal;
  if (at < 0.92) return cards.asksOnce;
  return at < 0.98 ? cards.asksAlways : cards.disputed;
};

const someTerm = ({ random }: Stage): Term => {
  const at = random();
  if (at < 0.6) return "1_month";
  if (at < 0.8) return "2_months";
  if (at < 0.94) return "3_months";
  return at < 0.99 ? "6_months" : "12_months";
};

// ── Retries ─────────────────────────────────────────────────────────────────────────────────────────

const confirmAgain = async (stage: Stage): Promise<void> => {
  const { ctx } = stage;
  const known = await ctx.db
    .select({ accountId: orders.accountId, intentId: orders.paymentIntentId })
    .from(orders)
    .where(isNotNull(orders.paymentIntentId))
    .orderBy(desc(orders.id))
    .limit(40);
  if (known.length === 0) return;
  const { accountId, intentId } = pick(stage, known);
  if (intentId === null) return;
  const caller = await callerOf(ctx, await accountOf(ctx, accountId));
  const confirm = () => confirmPayment(ctx, caller, { paymentIntentId: intentId }).catch(refused);
  await Promise.all([confirm(), settleIntent(ctx, intentId), confirm()]);
};

/** Redelivers a webhook as the provider may: late, twice, and to several processes at once. */
const deliverAgain = async (stage: Stage): Promise<void> => {
  const { ctx, webhookSecret } = stage;
  const events = await ctx.db
    .select({ body: simulatorObjects.body })
    .from(simulatorObjects)
    .where(eq(simulatorObjects.object, "event"))
    .orderBy(desc(simulatorObjects.createdAt))
    .limit(60);
  const now = ctx.clock.now();
  const sent = events.map(({ body }) => body).filter((body) => !isHeldBack(body, now));
  if (sent.length === 0) return;
  const rawBody = JSON.stringify(pick(stage, sent));
  const delivery = { rawBody, signature: signWebhook(rawBody, webhookSecret, now) };
  await Promise.all([1, 2].map(() => handlePaymentEvent(ctx, delivery).catch(refused)));
};

/** Every other webhook comes five days late, so that the service has to find out without it. */
export const isHeldBack = (event: { id?: unknown; created?: unknown }, now: Date): boolean =>
  hashOf(String(event.id)) % 2 === 0 && now.getTime() / 1000 - Number(event.created) < 5 * 86_400;

// ── Changes ─────────────────────────────────────────────────────────────────────────────────────────

const changeOfMind = async (stage: Stage): Promise<void> => {
  const { ctx, random } = stage;
  const known = await everybody(ctx);
  if (known.length === 0) return;
  const caller = await callerOf(ctx, pick(stage, known));
  const own = await listSubscriptions(ctx, caller);
  if (own.length === 0) return;
  const { id, status } = pick(stage, own);
  const at = random();
  if (status === "cancelled") await resumeSubscription(ctx, caller, { id });
  else if (status === "expired")
    await payAndConfirm(stage, caller, (await renewSubscription(ctx, caller, { id })).intent);
  else if (at < 0.1) await cancelSubscription(ctx, caller, { id });
  else if (at < 0.3) await setAutoRenew(ctx, caller, { id, autoRenew: random() < 0.8, renewalTerm: someTerm(stage) });
  else if (at < 0.5) await payAndConfirm(stage, caller, (await renewSubscription(ctx, caller, { id })).intent);
  else if (at < 0.7)
    await payAndConfirm(stage, caller, (await changeTerm(ctx, caller, { id, term: someTerm(stage) })).intent);
};

const refund = async (stage: Stage): Promise<void> => {
  const { ctx, simulator, random } = stage;
  const charges = await ctx.db
    .select({ id: simulatorObjects.id, amountCents: sql`(${simulatorObjects.body}->>'amount')::int`.mapWith(Number) })
    .from(simulatorObjects)
    .where(sql`${simulatorObjects.object} = 'charge' and ${simulatorObjects.body}->>'status' = 'succeeded'`)
    .orderBy(desc(simulatorObjects.createdAt))
    .limit(40);
  if (charges.length === 0) return;
  const { id, amountCents } = pick(stage, charges);
  await (random() < 0.5 ? simulator.refundCharge(id) : simulator.refundCharge(id, Math.ceil(amountCents * random())));
};

// ── Customers ───────────────────────────────────────────────────────────────────────────────────────

const origin = { ipAddress: null, userAgent: "faults" };
let newcomers = 0;

const newcomer = ({ ctx, brief }: Stage): Promise<Account> => {
  newcomers += 1;
  const username = `${brief.name}-${newcomers}`;
  const input = { email: `${username}@example.com`, username, password: "a long enough pass phrase" };
  return register(ctx, input, { ...origin, ipAddress: `2001:db8::${newcomers}` });
};

const everybody = (ctx: Context): Promise<Account[]> =>
  ctx.db.select(accountColumns).from(accounts).orderBy(accounts.id);

const accountOf = async (ctx: Context, id: number): Promise<Account> => {
  const [account] = await ctx.db.select(accountColumns).from(accounts).where(eq(accounts.id, id));
  if (!account) throw new Error(`There is no account ${id}`);
  return account;
};

const callerOf = async (ctx: Context, account: Account): Promise<Caller> => {
  const { token } = await openSession(ctx, account, "bearer", origin);
  const caller = await recognise(ctx, token, "bearer");
  if (!caller) throw new Error("A new session was not recognised");
  return caller;
};

const pick = <Item>({ random }: Stage, items: Item[]): Item => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("There is nothing to choose from");
  return item;
};

/** A refusal is a valid outcome; any other error is not. */
const refused = (error: unknown): void => {
  if (!(error instanceof Refusal)) throw error;
};
