import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { getService } from "../../../context.server.ts";
import { isoInstant } from "../../../domain/dates.ts";
import { orderOf } from "../../../domain/payments/orders.server.ts";
import { payWithTestCard } from "../../../domain/payments/test-card.server.ts";
import { monthsOf } from "../../../domain/pricing/discounts.ts";
import { confirmPayment } from "../../../domain/subscriptions/settle.server.ts";
import { Alert } from "../../../portal/components/alert.tsx";
import { Card } from "../../../portal/components/card.tsx";
import { errorOf } from "../../../portal/components/field-errors.ts";
import { FormError } from "../../../portal/components/form-error.tsx";
import { OrderSummary } from "../../../portal/components/order-summary.tsx";
import { PageHeader } from "../../../portal/components/page-header.tsx";
import { PaymentElement } from "../../../portal/components/payment-element.tsx";
import { SubmitButton } from "../../../portal/components/submit-button.tsx";
import { TextField } from "../../../portal/components/text-field.tsx";
import { formAction, memberForm } from "../../../portal/form-action.server.ts";
import { formatInstant, formatMoney } from "../../../portal/format.ts";
import { idOf } from "../../../portal/params.ts";
import { type Member, visitOfMember } from "../../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Payment · Shipping Route Data Service" }];

const orderFor = async ({ ctx, caller }: Member, orderId: string | undefined) => {
  const order = await orderOf(ctx, caller.account.id, idOf(orderId));
  if (!order?.paymentIntentId) throw new Response("No such order", { status: 404 });
  return { ...order, paymentIntentId: order.paymentIntentId };
};

export const loader = async (args: LoaderFunctionArgs) => {
  const member = await visitOfMember(args);
  const order = await orderFor(member, args.params.order_id);
  if (order.status !== "pending") throw redirect(`/checkout/${order.id}/done`);
  const { config } = await getService();
  const intent = config.stripe && (await member.ctx.payments.getIntent(order.paymentIntentId));
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
        months: monthsOf[line.term],
        listCents: line.listCents,
        discountCents: line.discountCents,
        creditCents: line.creditCents,
        termDiscountPercent: line.termDiscountPercent,
        volumeDiscountPercent: line.volumeDiscountPercent,
        totalCents: line.totalCents,
      })),
    },
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

const testCard = z.object({
  number: z
    .string()
    .transform((text) => text.replace(/[\s-]/g, ""))
    .pipe(z.string().regex(/^\d{12,19}$/, "Enter the card number, for example 4242 4242 4242 4242")),
  expiry: z
    .string()
    .regex(/^\s*(0?[1-9]|1[0-2])\s*\/\s*(\d{2}|20\d{2})\s*$/, "Enter month and year, for example 12 / 34")
    .transform((text) => text.split("/").map((part) => Number(part)) as [number, number]),
  cvc: z.string().regex(/^\d{3,4}$/, "Enter the 3 or 4 digits of the security code"),
});

export const action = (args: ActionFunctionArgs) =>
  formAction({
    pay: memberForm(testCard, async (member, card) => {
      const { testMode, config } = await getService();
      if (!testMode) throw new Response("Payments go to Stripe", { status: 404 });
      const order = await orderFor(member, args.params.order_id);
      const intent = await member.ctx.payments.getIntent(order.paymentIntentId);
      if (intent.status !== "succeeded") {
        const [expMonth, year] = card.expiry;
        const payment = await payWithTestCard(
          testMode.simulator,
          intent,
          { ...card, expMonth, expYear: year < 100 ? 2000 + year : year },
          `${config.appUrl}/checkout/${order.id}/return`,
        );
        if (payment.status === "requires_action") throw redirect(pathOf(payment.redirect));
      }
      await confirmPayment(member.ctx, member.caller, { paymentIntentId: order.paymentIntentId });
      throw redirect(`/checkout/${order.id}/done`);
    }),
  })(args);

/** The simulator's page is ours: whatever name the site was opened under, stay there. */
const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

const Checkout = () => {
  const { order, stripe, failed } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader title="Payment" description={`The price is locked until ${formatInstant(order.expiresAt)}.`} />
      {failed ? (
        <Alert tone="danger" title="The payment did not go through" live>
          Nothing was charged. Try again, or use another card.
        </Alert>
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[1.1fr_1fr]">
        <Card title="Pay by card">
          {stripe ? <PaymentElement {...stripe} amountCents={order.amountCents} /> : <TestCardForm />}
        </Card>
        <OrderSummary order={order} />
      </div>
    </div>
  );
};

export default Checkout;

const TestCardForm = () => {
  const { order } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Form method="post" className="grid gap-5" noValidate>
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <TextField
        name="number"
        label="Card number"
        inputMode="numeric"
        autoComplete="cc-number"
        placeholder="4242 4242 4242 4242"
        required
        error={errorOf(problem?.fields, "number")}
      />
      <div className="grid grid-cols-2 gap-4">
        <TextField
          name="expiry"
          label="Expiry"
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder="MM / YY"
          required
          defaultValue={problem?.values.expiry}
          error={errorOf(problem?.fields, "expiry")}
        />
        <TextField
          name="cvc"
          label="Security code"
          inputMode="numeric"
          autoComplete="cc-csc"
          placeholder="CVC"
          required
          error={errorOf(problem?.fields, "cvc")}
        />
      </div>
      <SubmitButton name="intent" value="pay" icon="lock" pendingLabel="Paying…">
        Pay {formatMoney(order.amountCents)}
      </SubmitButton>
      <details className="text-sm">
        <summary className="font-medium text-accent">Test cards</summary>
        <dl className="mt-3 grid gap-2 tabular-nums">
          {testCards.map(([number, what]) => (
            <div key={number} className="flex flex-wrap justify-between gap-x-4">
              <dt className="font-mono">{number}</dt>
              <dd className="text-muted">{what}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-3 text-muted">Any date to come, any three digits.</p>
      </details>
      <p className="text-[0.8125rem] text-muted">
        By paying you agree that the subscription begins at once and is not refunded.{" "}
        <Link to="/routes" className="text-accent underline underline-offset-3">
          Leave without paying
        </Link>
      </p>
    </Form>
  );
};

const testCards = [
  ["4242 4242 4242 4242", "works"],
  ["4000 0025 0000 3155", "asks for authentication"],
  ["4000 0000 0000 0341", "works now, is declined at renewal"],
  ["4000 0000 0000 0002", "is declined"],
  ["4000 0000 0000 9995", "has insufficient funds"],
] as const;
