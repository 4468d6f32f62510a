import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { lastDayOf } from "#app/domain/dates.ts";
import { heldPlan } from "#app/domain/paid-plans/paid-plans.server.ts";
import { listInvoices } from "#app/domain/payments/invoices.server.ts";
import { orderOf } from "#app/domain/payments/orders.server.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { RouteLine } from "#app/portal/components/route-line.tsx";
import { formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.returnReason ? "Refund" : "Payment successful"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const id = idOf(args.params.order_id);
  const order = await orderOf(ctx, caller.account.id, id);
  if (!order || order.status === "pending") throw redirect(`/checkout/${id}`);
  const periods = new Set(order.lines.map(({ periodId }) => periodId));
  const [subscriptions, held, invoices, factsOf] = await Promise.all([
    order.planLine ? [] : listSubscriptions(ctx, caller),
    order.planLine ? heldPlan(ctx, caller) : null,
    listInvoices(ctx, caller),
    routeFacts(
      ctx,
      order.lines.map(({ routeId }) => routeId),
    ),
  ]);
  const bought = subscriptions.filter(({ periodId, status }) => periods.has(periodId) && status !== "expired");
  const invoice = invoices.find(({ kind, orderId }) => kind === "invoice" && orderId === id);
  return {
    amountCents: order.amountCents,
    returnReason: order.returnReason,
    plan: order.planLine && {
      name: order.planLine.plan,
      lastDay: held?.paid?.plan === order.planLine.plan ? lastDayOf(held.paid.endDate) : null,
    },
    invoice: invoice ? { id: invoice.id, number: invoice.number } : null,
    email: caller.account.email,
    bought: bought.map(({ id, routeId, routeName, routeCode, endDate, nextCharge }) => ({
      id,
      routeId,
      routeName,
      routeCode,
      ...factsOf(routeId),
      lastDay: lastDayOf(endDate),
      nextCharge,
    })),
  };
};

const Done = () => {
  const { amountCents, returnReason, plan, invoice, email, bought } = useLoaderData<typeof loader>();
  if (returnReason) return <Returned />;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-6 py-4 sm:py-8">
      <header className="text-center">
        <span className="mx-auto grid size-14 place-items-center rounded-full bg-success-soft text-success">
          <Icon name="check" className="size-7" />
        </span>
        <h1 className="mt-4 font-semibold text-2xl text-ink tracking-tight">Payment successful</h1>
        <p className="mt-1.5 text-balance text-muted">
          We charged {formatMoney(amountCents)}.{" "}
          {plan ? `The limits of the ${formatWord(plan.name)} plan apply now.` : "You can read the route data now."}{" "}
          {invoice ? (
            <>
              Your receipt is{" "}
              <Link to={`/billing/${invoice.id}`} className="link">
                invoice {invoice.number}
              </Link>
              . We also e-mail it to <span className="wrap-anywhere">{email}</span>.
            </>
          ) : (
            "Your receipt is under Billing."
          )}
        </p>
      </header>
      <Card flush>
        {plan ? <BoughtPlan {...plan} /> : null}
        <ul className="divide-y divide-line">
          {bought.map((subscription) => (
            <li key={subscription.id} className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
              <div>
                <p className="font-semibold text-ink">{subscription.routeName}</p>
                <RouteLine {...subscription} />
                <p className="text-muted text-sm">
                  Last day {formatDay(subscription.lastDay)} ·{" "}
                  {subscription.nextCharge
                    ? `renews automatically on ${formatDay(subscription.nextCharge.date)}`
                    : "does not renew automatically"}
                </p>
              </div>
              <ButtonLink
                to={`/routes/${subscription.routeId}`}
                size="small"
                variant={bought.length === 1 ? "primary" : "secondary"}
                aria-label={`View route data of ${subscription.routeName}, ${subscription.routeCode}`}
              >
                View route data
              </ButtonLink>
            </li>
          ))}
        </ul>
      </Card>
      <div className="flex flex-wrap justify-center gap-2.5">
        <ButtonLink to="/api-keys" icon="key">
          Create an API key
        </ButtonLink>
        {plan ? null : <ButtonLink to="/subscriptions">All subscriptions</ButtonLink>}
      </div>
    </div>
  );
};

export default Done;

const BoughtPlan = ({ name, lastDay }: { name: string; lastDay: string | null }) => (
  <div className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
    <div>
      <p className="font-semibold text-ink">{formatWord(name)} plan</p>
      {lastDay ? (
        <p className="text-muted text-sm">Last day {formatDay(lastDay)} · does not renew automatically</p>
      ) : null}
    </div>
    <ButtonLink to="/plan" size="small" variant="primary">
      View plan
    </ButtonLink>
  </div>
);

const returnTitles = {
  paid_too_late: "The price had expired when you paid",
  account_suspended: "Your account is suspended",
  plan_changed: "Your plan has changed since you placed the order",
};

/** The payment could not be accepted and is refunded. */
const Returned = () => {
  const { amountCents, returnReason, plan, email } = useLoaderData<typeof loader>();
  const isSuspended = returnReason === "account_suspended";
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-6 py-4 sm:py-8">
      <h1 className="font-semibold text-2xl text-ink tracking-tight">We are refunding your payment</h1>
      <Alert
        tone="warning"
        title={returnTitles[returnReason ?? "paid_too_late"]}
        action={
          isSuspended ? (
            <ButtonLink to="/support">Contact support</ButtonLink>
          ) : plan ? (
            <ButtonLink to="/plan">View plan</ButtonLink>
          ) : (
            <ButtonLink to="/basket">Start again</ButtonLink>
          )
        }
      >
        We could not accept the payment and are refunding {formatMoney(amountCents)} in full. The money should reach
        your card within a few days. We e-mail the credit note to <span className="wrap-anywhere">{email}</span>; it is
        also under{" "}
        <Link to="/billing" className="link">
          Billing
        </Link>
        .
      </Alert>
    </div>
  );
};
