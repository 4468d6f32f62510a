import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { addDays, dayOf } from "#app/domain/dates.ts";
import { highestAgreedPercent } from "#app/domain/pricing/policy.ts";
import { customPricingInWords } from "#app/domain/pricing/volume-discount.ts";
import { offerQuote, readQuote, withdrawQuote } from "#app/domain/quotes/offer.server.ts";
import { longestNote, longestValidityDays, usualValidityDays } from "#app/domain/quotes/policy.ts";
import { offerForm, quoteNote, seenOffer } from "#app/domain/quotes/quote.ts";
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
import { TextField } from "#app/portal/components/text-field.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatDay, formatInstant } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { quoteView } from "#app/portal/quote-view.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.quote.title ?? "Quote"} · Operations · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const detail = await orErrorResponse(readQuote(ctx, caller, { id: idOf(args.params.quote_id) }));
  const { accountId, username, offer } = detail.quote;
  return {
    quote: quoteView(ctx, detail),
    account: { id: accountId, username },
    usual: {
      validThrough: offer?.validThrough ?? addDays(dayOf(ctx.clock.now()), usualValidityDays),
      keepsDiscount: offer?.keepsDiscount ?? false,
      discountThrough: offer?.discountThrough ?? "",
    },
    longest: longestNote,
  };
};

const withdrawal = seenOffer.extend({ withdrawal_note: quoteNote.shape.note });

export const action = (args: ActionFunctionArgs) =>
  formAction({
    offer: operatorForm(offerForm, async ({ ctx, caller, params }, offer) => {
      const id = idOf(params.quote_id);
      await offerQuote(ctx, caller, { id, ...offer });
      throw await redirectWithToast(`/operations/quotes/${id}`, { message: "Offer sent." });
    }),
    withdraw: operatorForm(withdrawal, async ({ ctx, caller, params }, input) => {
      const id = idOf(params.quote_id);
      await withdrawQuote(ctx, caller, { id, offerNumber: input.offer_number, note: input.withdrawal_note });
      throw await redirectWithToast(`/operations/quotes/${id}`, { message: "Quote withdrawn." });
    }),
  })(args);

const Quote = () => {
  const { quote, account } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const isUndecided = quote.state === "requested" || quote.state === "offered";
  return (
    <div className="grid gap-6">
      <PageHeader
        title={quote.title}
        breadcrumbs={[{ label: "Quotes", to: "/operations/quotes" }]}
        badge={<QuoteBadge state={quote.state} reader="operator" />}
        description={`Requested ${formatInstant(quote.requestedAt)} by ${account.username}`}
        actions={
          <ButtonLink to={`/operations/accounts/${account.id}`} icon="user">
            Open the account
          </ButtonLink>
        }
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
        <QuoteLines {...quote} totalLabel={quote.offer ? "Total" : "Total with term discounts"} />
        <div className="grid gap-6">
          <Facts />
          {isUndecided ? <OfferForm key={quote.offerNumber} /> : null}
          {isUndecided ? <Withdraw /> : null}
        </div>
      </div>
    </div>
  );
};

export default Quote;

const Facts = () => {
  const { quote } = useLoaderData<typeof loader>();
  const { offer, requestNote, endNote, endedAt } = quote;
  return (
    <Card title="Request and offer">
      <DescriptionList
        facts={[
          { term: "Message", description: requestNote === "" ? "None" : <Text text={requestNote} /> },
          ...(offer
            ? [
                { term: "Discount", description: `${offer.discountPercent}%` },
                { term: "Last day of the offer", description: formatDay(offer.validThrough) },
                { term: "Offered", description: formatInstant(offer.offeredAt) },
                { term: "Our message", description: offer.note === "" ? "None" : <Text text={offer.note} /> },
                ...(offer.staysInWords ? [{ term: "Later orders", description: offer.staysInWords }] : []),
              ]
            : []),
          ...(endedAt ? [{ term: "Ended", description: formatInstant(endedAt) }] : []),
          ...(endNote ? [{ term: "Reason", description: <Text text={endNote} /> }] : []),
        ]}
      />
    </Card>
  );
};

const Text = ({ text }: { text: string }) => <span className="whitespace-pre-line break-words">{text}</span>;

const OfferForm = () => {
  const { quote, usual, longest } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const mine = problem?.intent === "offer" ? problem : undefined;
  return (
    <Card
      title={quote.offer ? "Change the offer" : "Make an offer"}
      description="Fixes today's prices with this discount. We e-mail it to the account holder."
    >
      <Form method="post" className="grid gap-4" noValidate>
        <input type="hidden" name="offer_number" value={quote.offerNumber} />
        <TextField
          name="discount_percent"
          label="Volume discount in percent"
          hint={`1 to ${highestAgreedPercent}, in addition to the term discounts`}
          inputMode="numeric"
          autoComplete="off"
          required
          defaultValue={mine?.values.discount_percent ?? quote.offer?.discountPercent ?? ""}
          error={errorOf(mine?.fields, "discount_percent")}
        />
        <TextField
          name="valid_through"
          label="Last day of the offer"
          hint={`At most ${longestValidityDays} days from now`}
          type="date"
          required
          defaultValue={mine?.values.valid_through ?? usual.validThrough}
          error={errorOf(mine?.fields, "valid_through")}
        />
        <CheckboxField
          name="keeps_discount"
          label="Apply this discount to later orders"
          hint={`After payment, it applies to purchases and renewals of ${customPricingInWords}.`}
          defaultChecked={mine ? mine.values.keeps_discount === "on" : usual.keepsDiscount}
        />
        <TextField
          name="discount_through"
          label="Last day of the discount"
          optional
          hint="Leave empty to apply it until you end it on the account page"
          type="date"
          defaultValue={mine?.values.discount_through ?? usual.discountThrough}
          error={errorOf(mine?.fields, "discount_through")}
        />
        <TextAreaField
          name="note"
          label="Message"
          optional
          rows={4}
          maxLength={longest}
          defaultValue={mine?.values.note ?? quote.offer?.note}
          error={errorOf(mine?.fields, "note")}
        />
        <div>
          <SubmitButton name="intent" value="offer" pendingLabel="Sending…">
            {quote.offer ? "Replace offer" : "Send offer"}
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};

const Withdraw = () => {
  const { quote, longest } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Card title="Withdraw" description="The account holder gets an e-mail, and can request another quote.">
      <Form method="post" className="grid gap-4">
        <input type="hidden" name="offer_number" value={quote.offerNumber} />
        <TextAreaField
          name="withdrawal_note"
          label="Reason"
          optional
          rows={3}
          maxLength={longest}
          defaultValue={problem?.values.withdrawal_note}
          error={errorOf(problem?.fields, "withdrawal_note")}
        />
        <div>
          <SubmitButton name="intent" value="withdraw" variant="secondary" pendingLabel="Withdrawing…">
            Withdraw quote
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};
