import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { lastDayOf } from "#app/domain/dates.ts";
import { Refusal } from "#app/domain/errors.ts";
import { getSubscription } from "#app/domain/subscriptions/list.server.ts";
import { payRenewal } from "#app/domain/subscriptions/renew.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formatDay } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { type Member, visitOfMember } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Pay the renewal · Shipping Route Data Service" }];

/**
 * The link in mails about a renewal that was not paid. Redirects to its payment, after signing in; opening it again leads
 * to the same payment. Once the renewal is paid, or while it cannot be, the page says so.
 */
export const loader = async (args: LoaderFunctionArgs) => {
  const member = await visitOfMember(args);
  const id = idOf(args.params.subscription_id);
  const params = new URL(args.request.url).searchParams;
  const outcome = await openPayment(member, {
    id,
    endDate: z.iso.date().safeParse(params.get("end")).data ?? null,
    withAnotherCard: params.has("another_card"),
  });
  if ("orderId" in outcome) throw redirect(`/checkout/${outcome.orderId}`);
  const { routeName } = await orErrorResponse(getSubscription(member.ctx, member.caller, { id }));
  return { id, routeName, ...outcome };
};

const openPayment = async ({ ctx, caller }: Member, input: Parameters<typeof payRenewal>[2]) => {
  try {
    return await orErrorResponse(payRenewal(ctx, caller, input));
  } catch (error) {
    if (error instanceof Refusal && error.code === "conflict") return { refusal: error.message };
    if (error instanceof Refusal && error.code === "forbidden") return { refusal: "Your account is suspended" };
    throw error;
  }
};

const PayRenewal = () => {
  const shown = useLoaderData<typeof loader>();
  const isPaid = "paidUntil" in shown;
  return (
    <div className="grid max-w-2xl gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Subscriptions", to: "/subscriptions" },
          { label: shown.routeName, to: `/subscriptions/${shown.id}` },
        ]}
        title={isPaid ? "This renewal is already paid" : "This renewal cannot be paid now"}
      />
      {isPaid ? (
        <Alert tone="success" title={`Your last day with access is ${formatDay(lastDayOf(shown.paidUntil))}`}>
          You do not need to pay anything. The receipt is under Billing.
        </Alert>
      ) : (
        <Alert tone="warning" title="Nothing was charged">
          {shown.refusal}.
        </Alert>
      )}
      <div className="flex flex-wrap gap-2.5">
        <ButtonLink to={`/subscriptions/${shown.id}`} variant="primary">
          View subscription
        </ButtonLink>
        {isPaid ? <ButtonLink to="/billing">View invoices</ButtonLink> : null}
      </div>
    </div>
  );
};

export default PayRenewal;
