import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { currency } from "#app/domain/money.ts";
import { monthsOf } from "#app/domain/pricing/discounts.ts";
import { customPricingInWords } from "#app/domain/pricing/volume-discount.ts";
import { longestNote } from "#app/domain/quotes/policy.ts";
import { quoteNote } from "#app/domain/quotes/quote.ts";
import { requestQuote } from "#app/domain/quotes/request.server.ts";
import { itemsOfLink, linkedItems, linkOfItems } from "#app/domain/subscriptions/order-items.ts";
import { priceBasket } from "#app/domain/subscriptions/price.server.ts";
import { readBasket } from "#app/portal/basket.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { QuoteLines } from "#app/portal/components/quote-lines.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextAreaField } from "#app/portal/components/text-area-field.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount } from "#app/portal/format.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Request a quote · Shipping Route Data Service" }];

/** The items are those of the link, as the API gives it, or those of the basket. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const linked = itemsOfLink(new URL(args.request.url).searchParams.get("items"));
  const items = linked ?? (await readBasket(args.request)).items;
  if (items.length === 0) throw redirect("/basket");
  const { quote, needsQuote, unavailable } = await priceBasket(ctx, caller.account, items);
  const factsOf = await routeFacts(
    ctx,
    quote.lines.map(({ routeId }) => routeId),
  );
  return {
    items: linkOfItems(items),
    needsQuote,
    unavailable: unavailable.length,
    listCents: quote.listCents,
    totalCents: quote.totalCents,
    currency,
    lines: quote.lines.map(({ periodId, routeId, term, listCents, totalCents }) => ({
      id: periodId,
      routeId,
      routeName: factsOf(routeId).name,
      routeCode: factsOf(routeId).code,
      months: monthsOf[term],
      listCents,
      totalCents,
    })),
    longest: longestNote,
  };
};

const request = quoteNote.extend({ items: linkedItems });

export const action = (args: ActionFunctionArgs) =>
  formAction({
    request: memberForm(request, async ({ ctx, caller }, input) => {
      const { id } = await requestQuote(ctx, caller, input);
      const message = `Quote ${id} requested. We reply by e-mail and here.`;
      throw await redirectWithToast(`/billing/quotes/${id}`, { message });
    }),
  })(args);

const NewQuote = () => {
  const { items, needsQuote, unavailable, longest, ...sums } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Request a quote"
        breadcrumbs={[{ label: "Basket", to: "/basket" }]}
        description={`Orders of ${customPricingInWords} have custom pricing. We send you an offer with its last day; you then accept and pay here.`}
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      {unavailable > 0 ? (
        <Alert tone="warning" title={`${formatCount(unavailable, "route is", "routes are")} no longer on sale`}>
          Remove them from your basket to request a quote.
        </Alert>
      ) : null}
      {needsQuote ? null : (
        <Alert tone="info" title="This order needs no quote" action={<ButtonLink to="/basket">Open basket</ButtonLink>}>
          Quotes are for {customPricingInWords}. You can pay for this order in your basket.
        </Alert>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[1.6fr_1fr]">
        <QuoteLines {...sums} totalLabel={needsQuote ? "After term discounts" : "After discounts"} />
        {needsQuote && unavailable === 0 ? (
          <Card title="Your request">
            <Form method="post" className="grid gap-4">
              <input type="hidden" name="items" value={items} />
              <TextAreaField
                name="note"
                label="Message"
                optional
                hint="Tell us about further routes, the start date or the term."
                rows={5}
                maxLength={longest}
                defaultValue={problem?.values.note}
                error={errorOf(problem?.fields, "note")}
              />
              <div>
                <SubmitButton name="intent" value="request" pendingLabel="Sending…">
                  Request a quote
                </SubmitButton>
              </div>
            </Form>
          </Card>
        ) : null}
      </div>
    </div>
  );
};

export default NewQuote;
