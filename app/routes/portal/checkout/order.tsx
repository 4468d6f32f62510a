import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { getService } from "#app/context.server.ts";
import { isoInstant } from "#app/domain/dates.ts";
import { lineDiscounts } from "#app/domain/payments/line-discounts.ts";
import { priceLockInWords } from "#app/domain/payments/order.ts";
import { orderOf } from "#app/domain/payments/orders.server.ts";
import { payWithTestCard } from "#app/domain/payments/test-card.server.ts";
import { monthsOf } from "#app/domain/pricing/discounts.ts";
import { confirmPayment } from "#app/domain/subscriptions/settle.server.ts";
import { basketAfter, readBasket } from "#app/portal/basket.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { OrderSummary } from "#app/portal/components/order-summary.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PaymentElement } from "#app/portal/components/payment-element.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TestCardFields, TestCardList } from "#app/portal/components/test-card-fields.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatInstant, formatMoney } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { type Member, ownPathOf, visitOfMember } from "#app/portal/session.server.ts";
import { testCard } from "#app/portal/test-card.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Payment · Shipping Route Data Service" }];

/** Null if the order was cancelled (and so deleted), never existed or belongs to somebody else. */
const findPayableOrder = async ({ ctx, caller }: Member, orderId: number) => {
  const order = await orderOf(ctx, caller.account.id, orderId);
  return order?.paymentIntentId ? { ...order, paymentIntentId: order.paymentIntentId } : null;
};
type PayableOrder = NonNullable<Awaited<ReturnType<typeof findPayableOrder>>>;

export const loader = async (args: LoaderFunctionArgs) => {
  const member = await visitOfMember(args);
  const order = await findPayableOrder(member, idOf(args.params.order_id));
  if (!order) throw new Response("No such order", { status: 404 });
  if (order.status !== "pending") throw redirect(`/checkout/${order.id}/done`);
  const back = await backFrom(args.request, order);
  if (isLapsed(member, order)) throw await redirectWithToast(back.to, { message: lapsed });
  const { config } = await getService();
  const factsOf = await routeFacts(
    member.ctx,
    order.lines.map(({ routeId }) => routeId),
  );
  const intent = config.stripe && (await orErrorResponse(member.ctx.payments.getIntent(order.paymentIntentId)));
  return {
    order: {
      id: order.id,
      amountCents: order.amountCents,
      autoRenew: order.autoRenew,
      expiresAt: isoInstant(order.expiresAt),
      lines: order.lines.map((line) => ({
        id: line.id,
        routeName: line.routeName,
        routeCode: line.routeCode,
        ...factsOf(line.routeId),
        months: monthsOf[line.term],
        listCents: line.listCents,
        discounts: lineDiscounts(line),
        creditCents: line.creditCents,
        totalCents: line.totalCents,
      })),
    },
    back,
    failed: new URL(args.request.url).searchParams.has("failed"),
    stripe: config.stripe &&
      intent && {
        publishableKey: config.stripe.publishableKey,
        scriptUrl: config.stripeJsUrl ?? "https://js.stripe.com/v3/",
        clientSecret: intent.clientSecret,
        returnUrl: `${config.appUrl}/checkout/${order.id}/return`,
      },
  };
};

const isLapsed = ({ ctx }: Member, { expiresAt }: { expiresAt: Date }) => expiresAt <= ctx.clock.now();
const lapsed = `The price was locked for ${priceLockInWords}, which have passed. Here is today's price.`;

const cancelled = "Nothing was charged: this order is no longer open. Start again at today's price.";

/** The page where the order was put together. Going back there loses nothing. */
const backFrom = async (request: Request, { kind, lines }: PayableOrder) => {
  const [line] = lines;
  if (kind !== "purchase" && line?.subscriptionId) {
    return { label: line.routeName, to: `/subscriptions/${line.subscriptionId}` };
  }
  const chosen = new Set((await readBasket(request)).map(({ periodId }) => periodId));
  if (!line || lines.some(({ periodId }) => chosen.has(periodId))) return { label: "Basket", to: "/basket" };
  return { label: line.routeName, to: `/routes/${line.routeId}` };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    pay: memberForm(testCard, async (member, card) => {
      const { testMode, config } = await getService();
      if (!testMode) throw new Response("Payments go to Stripe", { status: 404 });
      const orderId = idOf(args.params.order_id);
      const order = await findPayableOrder(member, orderId);
      if (!order) throw await redirectWithToast("/basket", { message: cancelled });
      if (order.status !== "pending") throw redirect(`/checkout/${order.id}/done`);
      if (isLapsed(member, order)) {
        throw await redirectWithToast((await backFrom(args.request, order)).to, { message: lapsed });
      }
      const intent = await member.ctx.payments.getIntent(order.paymentIntentId);
      if (intent.status !== "succeeded") {
        const returnUrl = `${config.appUrl}/checkout/${order.id}/return`;
        const payment = await payWithTestCard(testMode.simulator, intent, card, returnUrl);
        if (payment.status === "requires_action") throw redirect(ownPathOf(payment.redirect, config.appUrl));
      }
      await confirmPayment(member.ctx, member.caller, { paymentIntentId: order.paymentIntentId });
      throw redirect(`/checkout/${order.id}/done`, { headers: await basketAfter(args.request, order) });
    }),
  })(args);

type CheckoutData = ReturnType<typeof useLoaderData<typeof loader>>;

const Checkout = () => {
  const { order, back, stripe, failed } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[back]}
        title="Payment"
        description={`The price is locked until ${formatInstant(order.expiresAt)}.`}
      />
      {failed ? (
        <Alert tone="danger" title="The payment did not go through" live>
          Nothing was charged. Try again, or use another card.
        </Alert>
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[1.1fr_1fr]">
        <Card title="Pay by card">
          {stripe ? (
            <PaymentElement {...stripe} amountCents={order.amountCents} />
          ) : (
            <TestCardForm order={order} back={back} />
          )}
        </Card>
        <OrderSummary order={order} />
      </div>
    </div>
  );
};

export default Checkout;

const TestCardForm = ({ order, back }: Pick<CheckoutData, "order" | "back">) => {
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Form method="post" className="grid gap-5" noValidate>
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <TestCardFields problem={problem} />
      <SubmitButton name="intent" value="pay" icon="lock" pendingLabel="Paying…">
        Pay {formatMoney(order.amountCents)}
      </SubmitButton>
      <TestCardList />
      <p className="text-[0.8125rem] text-muted">
        By paying you agree that the subscription begins at once and is not refunded.{" "}
        <Link to={back.to} className="text-accent underline underline-offset-3">
          Leave without paying
        </Link>
      </p>
    </Form>
  );
};
