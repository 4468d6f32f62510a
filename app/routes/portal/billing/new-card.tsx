import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { getService } from "#app/context.server.ts";
import { beginCardSetup, finishCardSetup } from "#app/domain/payments/cards.server.ts";
import { payWithTestCard } from "#app/domain/payments/test-card.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PaymentElement } from "#app/portal/components/payment-element.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TestCardFields, TestCardList } from "#app/portal/components/test-card-fields.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { ownPathOf, visitOfMember } from "#app/portal/session.server.ts";
import { testCard } from "#app/portal/test-card.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Add a card · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const { config } = await getService();
  return {
    failed: new URL(args.request.url).searchParams.has("failed"),
    stripe: config.stripe && {
      publishableKey: config.stripe.publishableKey,
      scriptUrl: config.stripeJsUrl ?? "https://js.stripe.com/v3/",
      clientSecret: (await orErrorResponse(beginCardSetup(ctx, caller))).clientSecret,
      returnUrl: `${config.appUrl}/billing/cards/return`,
    },
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    save: memberForm(testCard, async ({ ctx, caller }, card) => {
      const { testMode, config } = await getService();
      if (!testMode) throw new Response("Cards go to Stripe", { status: 404 });
      const setup = await beginCardSetup(ctx, caller);
      const returnUrl = `${config.appUrl}/billing/cards/return`;
      const outcome = await payWithTestCard(testMode.simulator, setup, card, returnUrl);
      if (outcome.status === "requires_action") throw redirect(ownPathOf(outcome.redirect, config.appUrl));
      await finishCardSetup(ctx, caller, { setupId: setup.id });
      throw await redirectWithToast("/billing/cards", { message: "The card is saved. Renewals are charged to it." });
    }),
  })(args);

const NewCard = () => {
  const { stripe, failed } = useLoaderData<typeof loader>();
  return (
    <div className="grid max-w-xl gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Billing", to: "/billing" },
          { label: "Cards", to: "/billing/cards" },
        ]}
        title="Add a card"
        description="Nothing is charged now. Renewals are charged to this card from then on."
      />
      {failed ? (
        <Alert tone="danger" title="The card was not saved" live>
          Your bank did not confirm it. Try again, or use another card.
        </Alert>
      ) : null}
      <Card>{stripe ? <PaymentElement {...stripe} amountCents={null} /> : <TestCardForm />}</Card>
    </div>
  );
};

export default NewCard;

const TestCardForm = () => {
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Form method="post" className="grid gap-5" noValidate>
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <TestCardFields problem={problem} />
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
