/** The ways to pay an order by card: a saved card, a new one, or the saved one that the bank wants approved. */
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { Badge } from "#app/portal/components/badge.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PaymentElement } from "#app/portal/components/payment-element.tsx";
import { RadioCards } from "#app/portal/components/radio-cards.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TestCardFields, TestCardList } from "#app/portal/components/test-card-fields.tsx";
import { formatMoney } from "#app/portal/format.ts";
import type { action, loader } from "./order.tsx";

const useCheckout = () => useLoaderData<typeof loader>();
const useProblem = () => useActionData<typeof action>()?.problem;

/** Pays with one of the saved cards. Works without scripts, with real payments too. */
export const SavedCards = () => {
  const { cards, expiredCards } = useCheckout();
  const problem = useProblem();
  return (
    <Card title="Pay with a saved card">
      <Form method="post" className="group grid gap-5" noValidate>
        {problem ? <FormError message={problem.message} fields={problem.fields} alwaysShown /> : null}
        <RadioCards
          name="card"
          label="Card"
          defaultValue={problem?.values.card ?? String(cards[0]?.id)}
          error={errorOf(problem?.fields, "card")}
          options={cards.map((card) => ({
            value: String(card.id),
            title: card.name,
            detail: `Expires ${card.expires}`,
            badge: card.isDefault ? <Badge tone="accent">For renewals</Badge> : undefined,
          }))}
        />
        {expiredCards.length > 0 ? (
          <p className="text-muted text-sm">Expired and cannot be charged: {expiredCards.join(", ")}.</p>
        ) : null}
        {/* There is nothing to ask about the default card, which comes first. */}
        <div className={cards[0]?.isDefault ? "group-has-[#card:checked]:hidden" : ""}>
          <ForRenewals isNew={false} />
        </div>
        <Pay intent="pay-saved" />
        <OtherWay to="?card=new">Pay with another card</OtherWay>
      </Form>
    </Card>
  );
};

/** Pays with a card that is entered: in Stripe's form, or that of test mode. */
export const NewCard = () => {
  const { order, cards, stripe } = useCheckout();
  const problem = useProblem();
  const saved = cards.length > 0 ? <OtherWay to="?card=saved">Pay with a saved card</OtherWay> : null;
  return (
    <Card title={cards.length > 0 ? "Pay with another card" : "Pay by card"}>
      {stripe ? (
        <div className="grid gap-5">
          <PaymentElement {...stripe} amountCents={order.amountCents} choiceUrl={`/checkout/${order.id}/card`}>
            <ForRenewals isNew />
          </PaymentElement>
          {saved}
        </div>
      ) : (
        <Form method="post" className="grid gap-5" noValidate>
          {problem ? <FormError message={problem.message} fields={problem.fields} alwaysShown /> : null}
          <TestCardFields problem={problem} />
          <ForRenewals isNew />
          <Pay intent="pay" />
          {saved}
          <TestCardList />
        </Form>
      )}
    </Card>
  );
};

/** The bank has asked for authentication: the saved card pays once the account holder approves, without being entered again. */
export const Approval = ({ card, anotherCard }: { card: string; anotherCard: string }) => {
  const { order } = useCheckout();
  const problem = useProblem();
  return (
    <Card title="Approve the payment" description={`Your bank asks you to approve the charge to ${card}.`}>
      <Form method="post" className="grid justify-items-start gap-4">
        {problem ? <FormError message={problem.message} fields={problem.fields} alwaysShown /> : null}
        <SubmitButton name="intent" value="approve" icon="lock" pendingLabel="Opening your bank…">
          Approve and pay {formatMoney(order.amountCents)}
        </SubmitButton>
        <Agreement />
        <OtherWay to={anotherCard}>Pay with another card</OtherWay>
      </Form>
    </Card>
  );
};

const Pay = ({ intent }: { intent: "pay" | "pay-saved" }) => {
  const { order } = useCheckout();
  return (
    <div className="grid gap-3">
      <SubmitButton name="intent" value={intent} icon="lock" pendingLabel="Paying…">
        Pay {formatMoney(order.amountCents)}
      </SubmitButton>
      <Agreement />
    </div>
  );
};

const Agreement = () => {
  const { back } = useCheckout();
  return (
    <p className="text-[0.8125rem] text-muted">
      By paying, you accept this order, the{" "}
      <Link to="/terms" className="link">
        terms
      </Link>{" "}
      and the{" "}
      <Link to="/privacy" className="link">
        privacy policy
      </Link>
      . Payments are not refunded.{" "}
      <Link to={back.to} className="text-accent underline underline-offset-3">
        Leave without paying
      </Link>
    </p>
  );
};

/** Asks before a card replaces the one for renewals. Without one there is nothing to ask: the card is needed for them. */
const ForRenewals = ({ isNew }: { isNew: boolean }) => {
  const { order, forRenewals } = useCheckout();
  const problem = useProblem();
  if (!order.autoRenew) return null;
  if (!forRenewals) {
    const sentence = isNew ? "We save this card and charge renewals to it." : "We charge renewals to this card.";
    return <p className="text-muted text-sm">{sentence}</p>;
  }
  const { card, isExpired, isSuggested } = forRenewals;
  return (
    <CheckboxField
      name="for_renewals"
      label="Use this card for renewals too"
      hint={`Otherwise we charge renewals to ${card}${isExpired ? ", which has expired" : ""}.${isNew ? " We save the card for later payments either way." : ""}`}
      defaultChecked={problem ? problem.values.for_renewals === "on" : isSuggested}
    />
  );
};

const OtherWay = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} prefetch="none" preventScrollReset className="link justify-self-start text-sm">
    {children}
  </Link>
);
