import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { acceptQuote } from "#app/domain/quotes/accept.server.ts";
import { longestNote } from "#app/domain/quotes/policy.ts";
import { itemsOf, quoteNote, seenOffer } from "#app/domain/quotes/quote.ts";
import { endOwnQuote, getQuote } from "#app/domain/quotes/request.server.ts";
import { quoteRequestPath } from "#app/domain/subscriptions/order-items.ts";
import { chargeInWords } from "#app/domain/subscriptions/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { QuoteBadge } from "#app/portal/components/quote-badge.tsx";
import { QuoteLines } from "#app/portal/components/quote-lines.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextAreaField } from "#app/portal/components/text-area-field.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatDay, formatMoney } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { quoteView } from "#app/portal/quote-view.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.quote.title ?? "Quote"} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const detail = await orErrorResponse(getQuote(ctx, caller, { id: idOf(args.params.quote_id) }));
  return {
    quote: quoteView(ctx, detail),
    again: quoteRequestPath(itemsOf(detail.lines)),
    longest: longestNote,
  };
};

const acceptance = seenOffer.extend({ auto_renew: z.literal("on").optional() });

export const action = (args: ActionFunctionArgs) =>
  formAction({
    accept: memberForm(acceptance, async ({ ctx, caller, params }, input) => {
      const id = idOf(params.quote_id);
      const offer = { offerNumber: input.offer_number, autoRenew: input.auto_renew === "on" };
      const { orderId } = await acceptQuote(ctx, caller, { id, ...offer });
      throw redirect(`/checkout/${orderId}`);
    }),
    end: memberForm(quoteNote, async ({ ctx, caller, params }, { note }) => {
      const id = idOf(params.quote_id);
      await endOwnQuote(ctx, caller, { id, note });
      throw await redirectWithToast(`/billing/quotes/${id}`, { message: "The quote is closed." });
    }),
  })(args);

const Quote = () => {
  const { quote } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <div className="grid gap-6">
      <PageHeader
        title={quote.title}
        breadcrumbs={[
          { label: "Billing", to: "/billing" },
          { label: "Quotes", to: "/billing/quotes" },
        ]}
        badge={<QuoteBadge state={quote.state} reader="holder" />}
        description={`Requested ${formatDay(quote.requestedAt)}`}
        actions={
          quote.offer ? (
            <ButtonLink to={`/billing/quotes/${quote.id}/quote.pdf`} icon="download" reloadDocument prefetch="none">
              Download PDF
            </ButtonLink>
          ) : undefined
        }
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <State />
      <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
        <QuoteLines {...quote} totalLabel={quote.offer ? quote.totalLabel : "After term discounts"} />
        <div className="grid gap-6">
          {quote.offer ? <Offer /> : null}
          {quote.state === "requested" || quote.state === "offered" ? <End /> : null}
        </div>
      </div>
    </div>
  );
};

export default Quote;

const State = () => {
  const { quote, again } = useLoaderData<typeof loader>();
  switch (quote.state) {
    case "requested":
      return (
        <Alert tone="info" title="We are preparing an offer">
          We will e-mail it to you, and you will find it here. We charge nothing until you accept and pay.
        </Alert>
      );
    case "paid":
      return (
        <Alert
          tone="success"
          title="Paid"
          action={quote.orderId ? <ButtonLink to={`/checkout/${quote.orderId}/done`}>View order</ButtonLink> : null}
        >
          You can read the data of the routes in this quote.
        </Alert>
      );
    case "declined":
    case "expired":
    case "withdrawn":
      return (
        <Alert
          tone="warning"
          title={`This quote ${quote.state === "expired" ? "has expired" : `was ${quote.state}`}`}
          action={<ButtonLink to={again}>Request again</ButtonLink>}
        >
          {quote.endNote || "Its price no longer applies."}
        </Alert>
      );
    case "offered":
    case "accepted":
      return null;
  }
};

const Offer = () => {
  const { quote } = useLoaderData<typeof loader>();
  if (!quote.offer) return null;
  const { discountPercent, validThrough, note, staysInWords } = quote.offer;
  const isOpen = quote.state === "offered" || quote.state === "accepted";
  return (
    <Card title="Our offer">
      <div className="grid gap-4">
        {note === "" ? null : <p className="whitespace-pre-line break-words text-sm">{note}</p>}
        <DescriptionList
          facts={[
            { term: "Volume discount", description: `${discountPercent}%` },
            { term: "Last day of the offer", description: formatDay(validThrough) },
            { term: quote.totalLabel, description: formatMoney(quote.totalCents, quote.currency) },
          ]}
        />
        {staysInWords ? <p className="text-muted text-sm">{staysInWords}</p> : null}
        {isOpen ? (
          <Form method="post" className="grid gap-4">
            <input type="hidden" name="offer_number" value={quote.offerNumber} />
            <CheckboxField
              name="auto_renew"
              label="Renew automatically"
              hint={`Each route renews separately, ${chargeInWords}.`}
              defaultChecked
            />
            <div>
              <SubmitButton name="intent" value="accept" pendingLabel="Locking the price…">
                {quote.state === "accepted" ? "Continue to payment" : "Accept and pay"}
              </SubmitButton>
            </div>
          </Form>
        ) : null}
      </div>
    </Card>
  );
};

/** Declines the offer, or withdraws the request. */
const End = () => {
  const { quote, longest } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const isOffered = quote.state === "offered";
  return (
    <Card title={isOffered ? "Decline" : "Withdraw"}>
      <Form method="post" className="grid gap-4">
        <TextAreaField
          name="note"
          label="Reason"
          optional
          rows={3}
          maxLength={longest}
          defaultValue={problem?.values.note}
          error={errorOf(problem?.fields, "note")}
        />
        <div>
          <SubmitButton name="intent" value="end" variant="secondary" pendingLabel="Sending…">
            {isOffered ? "Decline offer" : "Withdraw request"}
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};
