import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { getService } from "#app/context.server.ts";
import { getBillingDetails } from "#app/domain/billing-details/manage.server.ts";
import { dayOf, isoInstant, lastDayOf } from "#app/domain/dates.ts";
import { planAfter } from "#app/domain/paid-plans/paid-plan.ts";
import { heldPlan } from "#app/domain/paid-plans/paid-plans.server.ts";
import { declineInWords } from "#app/domain/payments/declines.ts";
import { confirmableCard, type PaymentIntent } from "#app/domain/payments/gateway.ts";
import { lineDiscounts } from "#app/domain/payments/line-discounts.ts";
import { listPayableCards, type PayableCard } from "#app/domain/payments/manage-cards.server.ts";
import { priceLockInWords } from "#app/domain/payments/order.ts";
import { orderOf } from "#app/domain/payments/orders.server.ts";
import {
  approveCharge,
  type CardPayment,
  payWithSavedCard,
  recordCardChoice,
} from "#app/domain/payments/pay-order.server.ts";
import { payWithTestCard } from "#app/domain/payments/test-card.server.ts";
import { monthsOf } from "#app/domain/pricing/discounts.ts";
import { renewalCapInWords } from "#app/domain/pricing/renewal-price.ts";
import { getSubscription } from "#app/domain/subscriptions/list.server.ts";
import { orderOutlook } from "#app/domain/subscriptions/order-outlook.server.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { countryName } from "#app/domain/tax/countries.ts";
import { basketAfter, readBasket } from "#app/portal/basket.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { OrderSummary, PlanSummary } from "#app/portal/components/order-summary.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatInstant, formatWord } from "#app/portal/format.ts";
import { cardName } from "#app/portal/invoice-view.ts";
import { idField, idOf } from "#app/portal/params.ts";
import { withRetryHint } from "#app/portal/retry-hint.server.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { type Member, ownPathOf, visitOfMember } from "#app/portal/session.server.ts";
import { testCard } from "#app/portal/test-card.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { cardChoice } from "./card-choice.ts";
import { Approval, NewCard, SavedCards } from "./card-forms.tsx";

export const meta: MetaFunction = () => [{ title: "Payment · Shipping Route Data Service" }];

/** Null if the order was cancelled (and so deleted), never existed or belongs to somebody else. */
const findPayableOrder = async ({ ctx, caller }: Member, orderId: number) => {
  const order = await orderOf(ctx, caller.account.id, orderId);
  return order?.paymentIntentId ? { ...order, paymentIntentId: order.paymentIntentId } : null;
};
type PayableOrder = NonNullable<Awaited<ReturnType<typeof findPayableOrder>>>;

export const loader = async (args: LoaderFunctionArgs) => {
  const member = await visitOfMember(args);
  const { ctx, caller } = member;
  const order = await findPayableOrder(member, idOf(args.params.order_id));
  if (!order) throw new Response("No such order", { status: 404 });
  if (order.status !== "pending") throw redirect(`/checkout/${order.id}/done`);
  const back = await backFrom(args.request, order);
  if (isLapsed(member, order)) throw await redirectWithToast(back.to, { message: lapsed });
  const params = new URL(args.request.url).searchParams;
  const { config } = await getService();
  const [intent, cards, outlook, details, renewalFailure, factsOf, plan] = await Promise.all([
    orErrorResponse(ctx.payments.getIntent(order.paymentIntentId)),
    orErrorResponse(listPayableCards(ctx, caller)),
    orderOutlook(ctx, caller, order),
    getBillingDetails(ctx, caller),
    renewalFailureOf(member, order),
    routeFacts(
      ctx,
      order.lines.map(({ routeId }) => routeId),
    ),
    planOf(member, order),
  ]);
  const payable = cards.filter(({ isExpired }) => !isExpired);
  const approvable = order.isRenewalCharge ? confirmableCard(intent) : null;
  return {
    order: {
      id: order.id,
      amountCents: order.amountCents,
      taxCents: order.taxCents,
      autoRenew: order.autoRenew,
      expiresAt: isoInstant(order.expiresAt),
      lines: order.lines.map((line, index) => ({
        id: line.id,
        routeName: line.routeName,
        routeCode: line.routeCode,
        ...factsOf(line.routeId),
        months: monthsOf[line.term],
        listCents: line.listCents,
        discounts: lineDiscounts(line),
        creditCents: line.creditCents,
        totalCents: line.totalCents,
        ...daysOf(outlook, index),
      })),
    },
    plan,
    back,
    billedTo: details && `${details.name}, ${countryName(details.country)}`,
    approval: approvable && {
      card: cardName(approvable),
      anotherCard: `/subscriptions/${order.lines[0]?.subscriptionId}/pay?another_card`,
    },
    cards: payable.map((card) => ({
      id: card.id,
      name: cardName(card),
      expires: expiryOf(card),
      isDefault: card.isDefault,
    })),
    expiredCards: cards.filter(({ isExpired }) => isExpired).map(cardName),
    entersCard:
      payable.length === 0 || (renewalFailure ? params.get("card") !== "saved" : params.get("card") === "new"),
    forRenewals: defaultCardOf(cards, renewalFailure !== null),
    renewalCap: renewalCapInWords(ctx.settings.renewalCapPercent),
    renewalFailure,
    failure: params.has("failed") ? failureOf(intent) : null,
    stripe: config.stripe && {
      publishableKey: config.stripe.publishableKey,
      scriptUrl: config.stripeJsUrl ?? "https://js.stripe.com/v3/",
      clientSecret: intent.clientSecret,
      returnUrl: returnUrlOf(order.id, config),
    },
  };
};

/** The plan that the order is for, and the days that it brings if it is paid today. */
const planOf = async ({ ctx, caller }: Member, { planLine }: PayableOrder) => {
  if (!planLine) return null;
  const { plan, term, monthlyCents, totalCents } = planLine;
  const { startDate, endDate, isExtension } = planAfter(await heldPlan(ctx, caller), planLine, dayOf(ctx.clock.now()));
  const days = { firstDay: startDate, lastDay: lastDayOf(endDate), isExtension };
  return { plan, months: monthsOf[term], monthlyCents, totalCents, ...days };
};

const daysOf = (outlook: Awaited<ReturnType<typeof orderOutlook>>, index: number) => {
  const line = outlook[index];
  if (!line) throw new Error("The outlook lacks a line of the order");
  const { lineId: _, ...days } = line;
  return days;
};

/** Why the renewal that the order pays could not be charged. Null: it was not tried, or this is no renewal. */
const renewalFailureOf = async ({ ctx, caller }: Member, { kind, lines: [line] }: PayableOrder) => {
  if (kind !== "renewal" || !line?.subscriptionId) return null;
  const { renewal } = await getSubscription(ctx, caller, { id: line.subscriptionId });
  return renewal.lastFailure?.message ?? null;
};

/** The card that renewals are charged to. Another one is suggested if that one has failed or expired. */
const defaultCardOf = (cards: PayableCard[], hasFailed: boolean) => {
  const card = cards.find(({ isDefault }) => isDefault);
  return card ? { card: cardName(card), isExpired: card.isExpired, isSuggested: hasFailed || card.isExpired } : null;
};

const expiryOf = ({ expMonth, expYear }: PayableCard) => `${String(expMonth).padStart(2, "0")}/${expYear}`;

const failureOf = ({ declineCode }: PaymentIntent) =>
  declineCode === null ? "Try again, or pay with another card." : declineInWords(declineCode);

const returnUrlOf = (orderId: number, { appUrl }: { appUrl: string }) => `${appUrl}/checkout/${orderId}/return`;

const isLapsed = ({ ctx }: Member, { expiresAt }: { expiresAt: Date }) => expiresAt <= ctx.clock.now();
const lapsed = `The price lock of ${priceLockInWords} has expired. Check today's price, then continue to payment.`;

const cancelled = "This order is no longer open. Nothing was charged. Start again at today's price.";

/** The page where the order was put together. Going back there loses nothing. */
const backFrom = async (request: Request, { kind, lines, planLine, quoteId }: PayableOrder) => {
  const [line] = lines;
  if (planLine) return { label: `${formatWord(planLine.plan)} plan`, to: `/plan/${planLine.plan}` };
  if (quoteId !== null) return { label: `Quote ${quoteId}`, to: `/billing/quotes/${quoteId}` };
  if (kind === "renewal" && lines.length > 1) return { label: "Subscriptions", to: "/subscriptions" };
  if (kind !== "purchase" && line?.subscriptionId) {
    return { label: line.routeName, to: `/subscriptions/${line.subscriptionId}` };
  }
  const chosen = new Set((await readBasket(request)).items.map(({ periodId }) => periodId));
  if (!line || lines.some(({ periodId }) => chosen.has(periodId))) return { label: "Basket", to: "/basket" };
  return { label: line.routeName, to: `/routes/${line.routeId}` };
};

/** Pays the order of this page, unless it is paid already. */
const payOrder = async (
  { request, params }: ActionFunctionArgs,
  member: Member,
  pay: (order: PayableOrder, intent: PaymentIntent, returnUrl: string) => Promise<CardPayment>,
): Promise<never> => {
  const { config } = await getService();
  const order = await findPayableOrder(member, idOf(params.order_id));
  if (!order) throw await redirectWithToast("/basket", { message: cancelled });
  if (order.status !== "pending") throw redirect(`/checkout/${order.id}/done`);
  if (isLapsed(member, order)) {
    throw await redirectWithToast((await backFrom(request, order)).to, { message: lapsed });
  }
  const intent = await member.ctx.payments.getIntent(order.paymentIntentId);
  if (intent.status !== "succeeded") {
    const { authenticationUrl } = await pay(order, intent, returnUrlOf(order.id, config));
    if (authenticationUrl)
      throw redirect(config.stripe ? authenticationUrl : ownPathOf(authenticationUrl, config.appUrl));
  }
  await confirmPayment(member.ctx, member.caller, { paymentIntentId: order.paymentIntentId });
  throw redirect(`/checkout/${order.id}/done`, { headers: await basketAfter(request, order) });
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    pay: memberForm(testCard.and(cardChoice), async (member, { makesDefault, ...card }) => {
      const { testMode } = await getService();
      if (!testMode) throw new Response("New cards go to Stripe", { status: 404 });
      return payOrder(args, member, async ({ id: orderId }, intent, returnUrl) => {
        await recordCardChoice(member.ctx, member.caller, { orderId, makesDefault });
        const payment = await payWithTestCard(testMode.simulator, intent, card, returnUrl);
        return { authenticationUrl: payment.status === "requires_action" ? payment.redirect : null };
      });
    }),
    "pay-saved": memberForm(z.object({ card: idField }).and(cardChoice), (member, { card, makesDefault }) =>
      payOrder(args, member, ({ id: orderId }, _, returnUrl) =>
        withRetryHint(payWithSavedCard(member.ctx, member.caller, { orderId, cardId: card, makesDefault, returnUrl })),
      ),
    ),
    approve: memberForm(z.object({}), (member) =>
      payOrder(args, member, ({ id: orderId }, _, returnUrl) =>
        withRetryHint(approveCharge(member.ctx, member.caller, { orderId, returnUrl })),
      ),
    ),
  })(args);

const Checkout = () => {
  const { order, plan, back, approval, entersCard, failure, renewalFailure, renewalCap, billedTo } =
    useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[back]}
        title="Payment"
        description={`The price is locked until ${formatInstant(order.expiresAt)}.`}
      />
      {failure ? (
        <Alert tone="danger" title="Payment failed" live>
          Nothing was charged. {failure}
        </Alert>
      ) : renewalFailure ? (
        <Alert tone="danger" title="The last payment failed" live>
          {renewalFailure}
        </Alert>
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[1.1fr_1fr]">
        {/* On a phone the deal comes before the way to pay it. */}
        <div className="grid min-w-0 gap-4 lg:col-start-2">
          {plan ? <PlanSummary order={order} plan={plan} /> : <OrderSummary order={order} renewalCap={renewalCap} />}
          <BilledTo orderId={order.id} name={billedTo} />
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          {approval ? <Approval {...approval} /> : entersCard ? <NewCard /> : <SavedCards />}
        </div>
      </div>
    </div>
  );
};

export default Checkout;

/** @param props.name null: the account has no billing details */
const BilledTo = ({ orderId, name }: { orderId: number; name: string | null }) => (
  <p className="px-5 text-muted text-sm">
    {name === null ? "Your invoice shows your account only. " : `Billed to ${name}. `}
    <Link to={`/billing/details?order=${orderId}`} className="link">
      {name === null ? "Add billing details" : "Change"}
    </Link>
  </p>
);
