import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { listCards, makeDefaultCard, removeCard } from "#app/domain/payments/manage-cards.server.ts";
import { listSubscriptions } from "#app/domain/subscriptions/list.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount } from "#app/portal/format.ts";
import { cardName } from "#app/portal/invoice-view.ts";
import { idField } from "#app/portal/params.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Cards · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [cards, subscriptions] = await Promise.all([listCards(ctx, caller), listSubscriptions(ctx, caller)]);
  return {
    cards,
    renewing: subscriptions.filter(({ nextCharge, renewal }) => nextCharge !== null || renewal.needsCard).length,
  };
};

const cardForm = z.object({ id: idField });

export const action = (args: ActionFunctionArgs) =>
  formAction<null>({
    default: memberForm(cardForm, async ({ ctx, caller }, input) => {
      await makeDefaultCard(ctx, caller, input);
      throw await redirectWithToast("/billing/cards", {
        message: "Default card changed. We charge renewals to it from now on.",
      });
    }),
    remove: memberForm(cardForm, async ({ ctx, caller }, input) => {
      await removeCard(ctx, caller, input);
      throw await redirectWithToast("/billing/cards", {
        message: "Card removed, here and at our payment provider.",
      });
    }),
  })(args);

const Cards = () => {
  const { cards, renewing } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Billing", to: "/billing" }]}
        title="Cards"
        description="We charge renewals to the default card. Card numbers are stored by our payment provider, not by us."
        actions={
          <ButtonLink
            to="/billing/cards/new"
            prefetch="none"
            variant={cards.length > 0 ? "secondary" : "primary"}
            icon="plus"
          >
            Add a card
          </ButtonLink>
        }
      />
      {problem ? <FormError message={problem.message} /> : null}
      {renewing > 0 && !cards.some(({ isDefault }) => isDefault) ? (
        <Alert tone="warning" title="Renewals cannot be charged">
          {formatCount(
            renewing,
            "subscription is set to renew automatically but",
            "subscriptions are set to renew automatically but",
          )}{" "}
          will end unless you {cards.length === 0 ? "add a card" : "make a card the default"}.
        </Alert>
      ) : null}
      <Card flush>
        {cards.length === 0 ? (
          <EmptyState icon="card" title="No saved cards">
            We save the card of your first purchase with auto-renewal. You can also add a card here without a payment.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {cards.map((card) => (
              <CardRow key={card.id} card={card} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
};

export default Cards;

type SavedCard = ReturnType<typeof useLoaderData<typeof loader>>["cards"][number];

const CardRow = ({ card }: { card: SavedCard }) => (
  <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 font-semibold text-ink">
        {cardName(card)}
        {card.isDefault ? <Badge tone="accent">Default</Badge> : null}
        {card.isExpired ? <Badge tone="danger">Expired</Badge> : null}
        {card.isDisputed ? <Badge tone="warning">Disputed</Badge> : null}
      </p>
      {card.isDisputed ? (
        <p className="text-muted text-sm">
          A payment with this card was disputed. We do not charge it unless you make it the default.
        </p>
      ) : null}
      <p className="text-muted text-sm tabular-nums">
        {card.isExpired ? "Expired" : "Expires"} {String(card.expMonth).padStart(2, "0")}/{card.expYear}
      </p>
    </div>
    <div className="flex flex-wrap items-start gap-2">
      {card.isDefault ? null : (
        <Form method="post">
          <input type="hidden" name="id" value={card.id} />
          <Button size="small" name="intent" value="default" aria-label={`Make ${cardName(card)} the default`}>
            Make default
          </Button>
        </Form>
      )}
      <RemoveCard card={card} />
    </div>
  </li>
);

const RemoveCard = ({ card }: { card: SavedCard }) => {
  const { cards, renewing } = useLoaderData<typeof loader>();
  const isLast = cards.length === 1;
  return (
    <Confirmation
      id={`remove-${card.id}`}
      label="Remove"
      name={`Remove ${cardName(card)}`}
      size="small"
      title={`Remove ${cardName(card)}?`}
      intent="remove"
      fields={{ id: card.id }}
      confirm="Remove card"
      pendingLabel="Removing…"
    >
      {isLast && renewing > 0
        ? `This is your only card. Without it, ${formatCount(renewing, "subscription ends", "subscriptions end")} instead of renewing. To keep access, add another card first.`
        : card.isDefault && !isLast
          ? "We then charge renewals to the next card in the list."
          : "This also removes the card at our payment provider. You can add it again."}
    </Confirmation>
  );
};
