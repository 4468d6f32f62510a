import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { type ComponentProps, useState } from "react";
import { z } from "zod";
import { getService } from "#app/context.server.ts";
import { beginCardSetup, finishCardSetup } from "#app/domain/payments/cards.server.ts";
import { listCards } from "#app/domain/payments/manage-cards.server.ts";
import { payWithTestCard } from "#app/domain/payments/test-card.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PaymentElement } from "#app/portal/components/payment-element.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TestCardFields, TestCardList } from "#app/portal/components/test-card-fields.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { cardName } from "#app/portal/invoice-view.ts";
import { withRetryHint } from "#app/portal/retry-hint.server.ts";
import { ownPathOf, visitOfMember } from "#app/portal/session.server.ts";
import { testCard } from "#app/portal/test-card.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { cardReturnUrl, cardSavedInWords } from "./card-return-url.ts";

export const meta: MetaFunction = () => [{ title: "Add a card · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const { config } = await getService();
  const current = (await listCards(ctx, caller)).find(({ isDefault }) => isDefault);
  return {
    currentCard: current ? cardName(current) : null,
    failed: new URL(args.request.url).searchParams.has("failed"),
    stripe: config.stripe && {
      publishableKey: config.stripe.publishableKey,
      scriptUrl: config.stripeJsUrl ?? "https://js.stripe.com/v3/",
      clientSecret: (await orErrorResponse(beginCardSetup(ctx, caller))).clientSecret,
      appUrl: config.appUrl,
    },
  };
};

const newCard = testCard.and(z.object({ for_renewals: z.literal("on").optional() }));

export const action = (args: ActionFunctionArgs) =>
  formAction({
    save: memberForm(newCard, async ({ ctx, caller }, { for_renewals: answer, ...card }) => {
      const { testMode, config } = await getService();
      if (!testMode) throw new Response("Cards go to Stripe", { status: 404 });
      const setup = await withRetryHint(beginCardSetup(ctx, caller));
      const makesDefault = answer === "on";
      const outcome = await payWithTestCard(
        testMode.simulator,
        setup,
        card,
        cardReturnUrl(config.appUrl, makesDefault),
      );
      if (outcome.status === "requires_action") throw redirect(ownPathOf(outcome.redirect, config.appUrl));
      const saved = await finishCardSetup(ctx, caller, { setupId: setup.id, makesDefault });
      throw await redirectWithToast("/billing/cards", { message: cardSavedInWords(saved) });
    }),
  })(args);

const NewCard = () => {
  const { stripe, failed, currentCard } = useLoaderData<typeof loader>();
  return (
    <div className="grid max-w-xl gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Billing", to: "/billing" },
          { label: "Cards", to: "/billing/cards" },
        ]}
        title="Add a card"
        description={`We charge nothing now.${currentCard ? "" : " We will charge renewals to this card."}`}
      />
      {failed ? (
        <Alert tone="danger" title="The card was not saved" live>
          Your bank did not confirm it. Try again, or use another card.
        </Alert>
      ) : null}
      <Card>{stripe ? <StripeForm {...stripe} /> : <TestCardForm />}</Card>
    </div>
  );
};

export default NewCard;

type StripeProps = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["stripe"]>;

const StripeForm = ({ appUrl, ...stripe }: StripeProps) => {
  const [forRenewals, setForRenewals] = useState(true);
  return (
    <PaymentElement {...stripe} amountCents={null} returnUrl={cardReturnUrl(appUrl, forRenewals)}>
      <ForRenewals checked={forRenewals} onChange={({ target }) => setForRenewals(target.checked)} />
    </PaymentElement>
  );
};

/** Asks whether the card replaces the one for renewals. Without one there is nothing to ask. */
const ForRenewals = (input: Pick<ComponentProps<typeof CheckboxField>, "checked" | "defaultChecked" | "onChange">) => {
  const { currentCard } = useLoaderData<typeof loader>();
  if (currentCard === null) return null;
  return (
    <CheckboxField
      {...input}
      name="for_renewals"
      label="Use this card for renewals"
      hint={`Otherwise we charge renewals to ${currentCard}.`}
    />
  );
};

const TestCardForm = () => {
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Form method="post" className="grid gap-5" noValidate>
      {problem ? <FormError message={problem.message} fields={problem.fields} alwaysShown /> : null}
      <TestCardFields problem={problem} />
      <ForRenewals defaultChecked={problem ? problem.values.for_renewals === "on" : true} />
      <div className="flex flex-wrap gap-2.5">
        <SubmitButton name="intent" value="save" icon="lock" pendingLabel="Saving…">
          Save card
        </SubmitButton>
        <ButtonLink to="/billing/cards">Back</ButtonLink>
      </div>
      <TestCardList />
    </Form>
  );
};
