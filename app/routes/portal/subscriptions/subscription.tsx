import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation, useSubmit } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { z } from "zod";
import { pricedPeriods } from "#app/domain/catalogue/browse.server.ts";
import { dayOf, daysBetween } from "#app/domain/dates.ts";
import { term, terms } from "#app/domain/pricing/discounts.ts";
import { getSubscription, paidTermsOf } from "#app/domain/subscriptions/list.server.ts";
import { cancelSubscription, resumeSubscription, setAutoRenew } from "#app/domain/subscriptions/manage.server.ts";
import { changeTerm, renewSubscription } from "#app/domain/subscriptions/renew.server.ts";
import { termOffers } from "#app/domain/subscriptions/term-offers.server.ts";
import { chargeInWords } from "#app/domain/subscriptions/wording.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button, ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { Confirmation } from "#app/portal/components/confirmation.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { Disclosure } from "#app/portal/components/disclosure.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { RadioCards } from "#app/portal/components/radio-cards.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { timelineOf } from "./timeline.ts";
import { Timeline } from "./timeline-card.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${data ? `Subscription to ${data.subscription.routeName}` : "Subscription"} · Shipping Route Data Service`,
  },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const id = idOf(args.params.subscription_id);
  const [subscription, offers, paidTerms] = await orErrorResponse(
    Promise.all([
      getSubscription(ctx, caller, { id }),
      termOffers(ctx, caller, { id }),
      paidTermsOf(ctx, caller, { id }),
    ]),
  );
  const today = dayOf(ctx.clock.now());
  const [factsOf, [period]] = await Promise.all([
    routeFacts(ctx, [subscription.routeId]),
    pricedPeriods(ctx, [subscription.periodId]),
  ]);
  return {
    terms: [...terms],
    subscription,
    facts: factsOf(subscription.routeId),
    freshness: period?.freshness ?? null,
    offers,
    timeline: timelineOf(subscription, paidTerms, today),
    daysLeft: daysBetween(today, subscription.endDate),
  };
};

const nothing = z.object({});
const choice = z.object({ term });

export const action = (args: ActionFunctionArgs) => {
  const id = idOf(args.params.subscription_id);
  const ownPath = `/subscriptions/${id}`;
  return formAction<null>({
    cancel: memberForm(nothing, async ({ ctx, caller }) => {
      await cancelSubscription(ctx, caller, { id });
      throw await redirectWithToast(ownPath, { message: "Cancelled. You keep access until the end of the paid time." });
    }),
    resume: memberForm(nothing, async ({ ctx, caller }) => {
      await resumeSubscription(ctx, caller, { id });
      throw await redirectWithToast(ownPath, { message: "Resumed: the subscription goes on as before." });
    }),
    "auto-renew": memberForm(
      z.object({ auto_renew: z.literal("on").optional(), renewal_term: term }),
      async ({ ctx, caller }, input) => {
        const autoRenew = input.auto_renew === "on";
        await setAutoRenew(ctx, caller, { id, autoRenew, renewalTerm: input.renewal_term });
        throw await redirectWithToast(ownPath, {
          message: autoRenew
            ? `Renews by itself, for ${formatWord(input.renewal_term)}.`
            : "Does not renew: access ends by itself.",
        });
      },
    ),
    renew: memberForm(choice, async ({ ctx, caller }, input) => {
      const { orderId } = await renewSubscription(ctx, caller, { id, term: input.term });
      throw redirect(`/checkout/${orderId}`);
    }),
    "change-term": memberForm(choice, async ({ ctx, caller }, input) => {
      const { orderId } = await changeTerm(ctx, caller, { id, term: input.term });
      throw redirect(`/checkout/${orderId}`);
    }),
  })(args);
};

const SubscriptionPage = () => {
  const { subscription, timeline, facts } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const { status } = subscription;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Subscriptions", to: "/subscriptions" }]}
        title={subscription.routeName}
        badge={<StatusBadge status={status} />}
        description={
          <>
            {[facts.carrier, facts.cargo].filter(Boolean).join(" · ")}{" "}
            <span className="whitespace-nowrap font-mono text-sm">{subscription.routeCode}</span>
          </>
        }
        actions={
          <ButtonLink to={`/routes/${subscription.routeId}`} variant={status === "expired" ? "secondary" : "primary"}>
            {status === "expired" ? "See the route" : "Open the data"}
          </ButtonLink>
        }
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <Facts />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="grid gap-6">
          <Timeline steps={timeline} />
        </div>
        <div className="grid gap-6">
          {status === "active" || status === "expiring_soon" ? <AutoRenewal /> : null}
          {status === "cancelled" ? <Cancellation /> : null}
          <Renewal />
          {status === "active" || status === "expiring_soon" ? (
            <>
              <TermChange />
              <Cancellation />
            </>
          ) : null}
        </div>
      </div>
    </div>
  );
};

export default SubscriptionPage;

const Facts = () => {
  const { subscription, daysLeft, freshness } = useLoaderData<typeof loader>();
  const charge = useNextCharge();
  const hasEnded = subscription.status === "expired";
  return (
    <Card>
      <DescriptionList
        layout="grid"
        facts={[
          { term: "Since", description: formatDay(subscription.startDate) },
          {
            term: hasEnded ? "Ended" : "Ends",
            description: (
              <>
                {formatDay(subscription.endDate)}
                {hasEnded ? null : <Note>{formatCount(daysLeft, "day")} left</Note>}
              </>
            ),
          },
          {
            term: "Term",
            description: (
              <>
                {formatWord(subscription.term)}
                {freshness ? <Note>{`${formatWord(freshness)} data`}</Note> : null}
              </>
            ),
          },
          {
            term: "Next charge",
            description: charge ? (
              <>
                {formatMoney(charge.amountCents)}
                <Note>on {formatDay(charge.date)}</Note>
              </>
            ) : (
              <>
                None
                {hasEnded ? null : <Note>It does not renew</Note>}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
};

const Note = ({ children }: { children: ReactNode }) => (
  <span className="block font-normal text-muted text-xs">{children}</span>
);

/** Saves on every change; without scripts, by its button. An error restores the saved value. */
const AutoRenewal = () => {
  const { subscription, terms } = useLoaderData<typeof loader>();
  const { autoRenew, renewalTerm } = subscription;
  const [chosen, setChosen] = useState({ autoRenew, renewalTerm });
  useEffect(() => {
    setChosen({ autoRenew: subscription.autoRenew, renewalTerm: subscription.renewalTerm });
  }, [subscription]);
  const submit = useSubmit();
  return (
    <Card title="Automatic renewal" description={`The saved card is ${chargeInWords}.`}>
      <Form
        method="post"
        className="grid gap-5"
        onChange={(event) => submit(event.currentTarget, { preventScrollReset: true })}
      >
        <input type="hidden" name="intent" value="auto-renew" />
        <CheckboxField
          name="auto_renew"
          label="Renew automatically"
          checked={chosen.autoRenew}
          onChange={({ target }) => setChosen({ ...chosen, autoRenew: target.checked })}
        />
        <SelectField
          name="renewal_term"
          label="Renew for"
          value={chosen.renewalTerm}
          onChange={({ target }) =>
            setChosen({ ...chosen, renewalTerm: terms.find((one) => one === target.value) ?? chosen.renewalTerm })
          }
          options={terms.map((value) => ({ value, label: formatWord(value) }))}
        />
        <noscript>
          <Button>Save</Button>
        </noscript>
      </Form>
    </Card>
  );
};

/** The next charge. While a change of the renewal is being saved, the one that it will lead to. */
const useNextCharge = () => {
  const { subscription, offers } = useLoaderData<typeof loader>();
  const { formData } = useNavigation();
  if (formData?.get("intent") !== "auto-renew") return subscription.nextCharge;
  if (formData.get("auto_renew") !== "on") return null;
  return offers.find(({ term }) => term === formData.get("renewal_term"))?.nextCharge ?? null;
};

const Cancellation = () => {
  const { subscription } = useLoaderData<typeof loader>();
  const isCancelled = subscription.status === "cancelled";
  return (
    <Card
      title={isCancelled ? "Cancelled" : "Cancel"}
      description={
        isCancelled
          ? `You can read the data until ${formatDay(subscription.endDate)}. Nothing more is charged.`
          : `You keep access until ${formatDay(subscription.endDate)}. Nothing more is charged, and nothing is refunded.`
      }
    >
      {isCancelled ? (
        <Form method="post">
          <SubmitButton name="intent" value="resume" pendingLabel="Resuming…">
            Resume subscription
          </SubmitButton>
        </Form>
      ) : (
        <Confirmation
          id="cancel"
          label="Cancel subscription"
          title={`Cancel the subscription to ${subscription.routeName}?`}
          intent="cancel"
          confirm="Yes, cancel it"
          pendingLabel="Cancelling…"
        >
          You read the data until {formatDay(subscription.endDate)}, then access ends by itself. What is paid is not
          refunded. Until then you can resume at any time.
        </Confirmation>
      )}
    </Card>
  );
};

const Renewal = () => {
  const { subscription, offers } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  if (offers.length === 0) return <Card title="Renew" description="This route has no open period at the moment." />;
  if (subscription.status === "expired") {
    return (
      <Card title="Renew" description="Access is back as soon as the payment has gone through.">
        <RenewalForm />
      </Card>
    );
  }
  return (
    <Disclosure
      title="Renew early"
      description={`Adds a term behind what is paid, from ${formatDay(subscription.endDate)} on.`}
      isOpen={subscription.status === "expiring_soon" || problem?.intent === "renew"}
    >
      <RenewalForm />
    </Disclosure>
  );
};

const RenewalForm = () => {
  const { subscription, offers } = useLoaderData<typeof loader>();
  return (
    <Form method="post" className="grid gap-5">
      <RadioCards
        name="term"
        label="Term"
        defaultValue={subscription.renewalTerm}
        options={offers.map((offer) => ({
          value: offer.term,
          title: formatWord(offer.term),
          detail: `until ${formatDay(offer.renewal.until)}`,
          aside: formatMoney(offer.renewal.totalCents),
          badge: offer.term === "12_months" ? <Badge tone="accent">Best value</Badge> : undefined,
        }))}
      />
      <div>
        <SubmitButton
          name="intent"
          value="renew"
          variant={subscription.status === "expired" ? "primary" : "secondary"}
          pendingLabel="Locking the price…"
        >
          Continue to payment
        </SubmitButton>
      </div>
    </Form>
  );
};

const TermChange = () => {
  const { offers } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  const changes = offers.flatMap(({ term, change }) => (change ? [{ term, ...change }] : []));
  const [first] = changes;
  if (!first) {
    return (
      <Card
        title="Change term now"
        description="Your unused days are worth more than any other term costs. Choose another term for the next renewal instead."
      />
    );
  }
  return (
    <Disclosure
      title="Change term now"
      description={`A new term begins today. Your unused days, worth ${formatMoney(first.creditCents)} at the price paid, are taken off.`}
      isOpen={problem?.intent === "change-term"}
    >
      <Form method="post" className="grid gap-5">
        <RadioCards
          id="new-term"
          name="term"
          label="New term"
          defaultValue={first.term}
          options={changes.map((change) => ({
            value: change.term,
            title: formatWord(change.term),
            detail: (
              <span className="flex flex-wrap gap-x-3 tabular-nums">
                <span>until {formatDay(change.until)}</span>
                <span className="whitespace-nowrap">
                  {formatMoney(change.totalCents)} − {formatMoney(change.creditCents)} credit
                </span>
              </span>
            ),
            aside: formatMoney(change.dueCents),
          }))}
        />
        <div>
          <SubmitButton name="intent" value="change-term" variant="secondary" pendingLabel="Locking the price…">
            Continue to payment
          </SubmitButton>
        </div>
      </Form>
    </Disclosure>
  );
};
