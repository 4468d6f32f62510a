import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { listInvoices } from "#app/domain/payments/invoices.server.ts";
import { orderOf } from "#app/domain/payments/orders.server.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { RouteLine } from "#app/portal/components/route-line.tsx";
import { formatDay, formatMoney } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.returnReason ? "Refunded" : "Subscribed"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const id = idOf(args.params.order_id);
  const order = await orderOf(ctx, caller.account.id, id);
  if (!order || order.status === "pending") throw redirect(`/checkout/${id}`);
  const periods = new Set(order.lines.map(({ periodId }) => periodId));
  const [subscriptions, invoices, factsOf] = await Promise.all([
    listSubscriptions(ctx, caller),
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
    invoice: invoice ? { id: invoice.id, number: invoice.number } : null,
    email: caller.account.email,
    bought: bought.map(({ id, routeId, routeName, routeCode, endDate, nextCharge }) => ({
      id,
      routeId,
      routeName,
      routeCode,
      ...factsOf(routeId),
      endDate,
      nextCharge,
    })),
  };
};

const Done = () => {
  const { amountCents, returnReason, invoice, email, bought } = useLoaderData<typeof loader>();
  if (returnReason) return <Returned />;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-6 py-4 sm:py-8">
      <header className="text-center">
        <span className="mx-auto grid size-14 place-items-center rounded-full bg-success-soft text-success">
          <Icon name="check" className="size-7" />
        </span>
        <h1 className="mt-4 font-semibold text-2xl text-ink tracking-tight">Paid. The data is yours</h1>
        <p className="mt-1.5 text-balance text-muted">
          {formatMoney(amountCents)} charged.{" "}
          {invoice ? (
            <>
              The receipt is{" "}
              <Link to={`/billing/${invoice.id}`} className="link">
                invoice {invoice.number}
              </Link>
              , and on its way to <span className="wrap-anywhere">{email}</span>.
            </>
          ) : (
            "A receipt is under Billing."
          )}
        </p>
      </header>
      <Card flush>
        <ul className="divide-y divide-line">
          {bought.map((subscription) => (
            <li key={subscription.id} className="flex flex-wrap items-center justify-between gap-4 px-5 py-4">
              <div>
                <p className="font-semibold text-ink">{subscription.routeName}</p>
                <RouteLine {...subscription} />
                <p className="text-muted text-sm">
                  Until {formatDay(subscription.endDate)}
                  {subscription.nextCharge
                    ? `, renews on ${formatDay(subscription.nextCharge.date)}`
                    : ", does not renew"}
                </p>
              </div>
              <ButtonLink
                to={`/routes/${subscription.routeId}`}
                size="small"
                variant={bought.length === 1 ? "primary" : "secondary"}
                aria-label={`Open the data of ${subscription.routeName}, ${subscription.routeCode}`}
              >
                Open the data
              </ButtonLink>
            </li>
          ))}
        </ul>
      </Card>
      <div className="flex flex-wrap justify-center gap-2.5">
        <ButtonLink to="/api-keys" icon="key">
          Create an API key
        </ButtonLink>
        <ButtonLink to="/subscriptions">All subscriptions</ButtonLink>
      </div>
    </div>
  );
};

export default Done;

/** The payment is returned, because it bought nothing. */
const Returned = () => {
  const { amountCents, returnReason, email } = useLoaderData<typeof loader>();
  const isLate = returnReason === "paid_too_late";
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-6 py-4 sm:py-8">
      <h1 className="font-semibold text-2xl text-ink tracking-tight">Your payment is being refunded</h1>
      <Alert
        tone="warning"
        title={isLate ? "The price was no longer locked when you paid" : "The account is suspended"}
        action={
          isLate ? <ButtonLink to="/basket">Begin again</ButtonLink> : <ButtonLink to="/support">Ask us</ButtonLink>
        }
      >
        So nothing was bought. We are refunding {formatMoney(amountCents)} in full; it reaches your card within some
        days. The credit note goes to <span className="wrap-anywhere">{email}</span> and stands under{" "}
        <Link to="/billing" className="link">
          Billing
        </Link>
        .
      </Alert>
    </div>
  );
};
