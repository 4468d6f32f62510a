import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { z } from "zod";
import { pricedPeriods } from "#app/domain/catalogue/browse.server.ts";
import { dayOf, daysBetween, lastDayOf } from "#app/domain/dates.ts";
import { term } from "#app/domain/pricing/discounts.ts";
import { getSubscription, paidTermsOf } from "#app/domain/subscriptions/list.server.ts";
import { cancelSubscription, resumeSubscription, setAutoRenew } from "#app/domain/subscriptions/manage.server.ts";
import { changeTerm, renewSubscription } from "#app/domain/subscriptions/renew.server.ts";
import { termOffers } from "#app/domain/subscriptions/term-offers.server.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PastDueAlert } from "#app/portal/components/past-due-alert.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatDay, formatInstant, formatMoney, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { pastDueOf } from "#app/portal/past-due.ts";
import { priceView } from "#app/portal/price-view.ts";
import { routeFacts } from "#app/portal/route-facts.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { ManageCard } from "./manage-card.tsx";
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
  const readSubscription = async () => {
    const subscription = await getSubscription(ctx, caller, { id });
    const [factsOf, [period]] = await Promise.all([
      routeFacts(ctx, [subscription.routeId]),
      pricedPeriods(ctx, [subscription.periodId]),
    ]);
    return { subscription, facts: factsOf(subscription.routeId), freshness: period?.freshness ?? null };
  };
  const [{ subscription, facts, freshness }, offers, paidTerms] = await orErrorResponse(
    Promise.all([readSubscription(), termOffers(ctx, caller, { id }), paidTermsOf(ctx, caller, { id })]),
  );
  const today = dayOf(ctx.clock.now());
  return {
    subscription,
    pastDue: pastDueOf(subscription),
    facts,
    freshness,
    offers: offers.map(({ price, ...offer }) => ({ ...offer, price: priceView({ ...price, needsQuote: false }) })),
    beforeTax: ctx.tax !== null,
    timeline: timelineOf(subscription, paidTerms, today),
    chargedBackOn: paidTerms.at(-1)?.endedOn ?? null,
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
      const { endDate } = await cancelSubscription(ctx, caller, { id });
      throw await redirectWithToast(ownPath, {
        message: `Cancelled. Your last day with access is ${formatDay(lastDayOf(endDate))}.`,
      });
    }),
    resume: memberForm(nothing, async ({ ctx, caller }) => {
      await resumeSubscription(ctx, caller, { id });
      throw await redirectWithToast(ownPath, { message: "Resumed. The subscription continues as before." });
    }),
    "auto-renew": memberForm(z.object({ auto_renew: z.literal("on").optional() }), async ({ ctx, caller }, input) => {
      const autoRenew = input.auto_renew === "on";
      const { renewalTerm, endDate } = await setAutoRenew(ctx, caller, { id, autoRenew });
      throw await redirectWithToast(ownPath, {
        message: autoRenew
          ? `Auto-renewal is on, for ${formatWord(renewalTerm)}.`
          : `Auto-renewal is off. Your last day with access is ${formatDay(lastDayOf(endDate))}.`,
      });
    }),
    "renewal-term": memberForm(z.object({ renewal_term: term }), async ({ ctx, caller }, input) => {
      const { autoRenew } = await getSubscription(ctx, caller, { id });
      await setAutoRenew(ctx, caller, { id, autoRenew, renewalTerm: input.renewal_term });
      throw await redirectWithToast(ownPath, { message: `Renews for ${formatWord(input.renewal_term)} next time.` });
    }),
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
  const { subscription, pastDue, timeline, facts, offers, beforeTax } = useLoaderData<typeof loader>();
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
          <ButtonLink to={`/routes/${subscription.routeId}`}>
            {status === "expired" ? "View route" : "View route data"}
          </ButtonLink>
        }
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      {pastDue ? <PastDueAlert renewal={pastDue} /> : null}
      {status === "expired" ? <Lapse /> : null}
      <Facts />
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <ManageCard
          subscription={subscription}
          offers={offers}
          isPastDue={pastDue !== null}
          beforeTax={beforeTax}
          rejected={problem?.intent}
        />
        <Timeline steps={timeline} />
      </div>
    </div>
  );
};

export default SubscriptionPage;

/** Why the subscription has ended, if its payment was charged back or it should have renewed. */
const Lapse = () => {
  const { subscription, chargedBackOn } = useLoaderData<typeof loader>();
  const { lastFailure } = subscription.renewal;
  if (chargedBackOn) {
    return (
      <Alert tone="warning" title="The bank returned the payment">
        Access ended on {formatDay(chargedBackOn)}. To get access again, renew the subscription.
      </Alert>
    );
  }
  if (!lastFailure) return null;
  return (
    <Alert tone="warning" title="The renewal was not paid">
      The last payment failed on {formatInstant(lastFailure.at)}. {lastFailure.message}
    </Alert>
  );
};

const Facts = () => {
  const { subscription, pastDue, daysLeft, freshness } = useLoaderData<typeof loader>();
  const charge = useNextCharge();
  const { needsCard } = subscription.renewal;
  const hasEnded = subscription.status === "expired";
  return (
    <Card>
      <DescriptionList
        layout="grid"
        facts={[
          { term: "First day", description: formatDay(subscription.startDate) },
          {
            term: "Last day",
            description: (
              <>
                {formatDay(lastDayOf(subscription.endDate))}
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
                {hasEnded ? null : (
                  <Note>
                    {pastDue
                      ? "The renewal is past due"
                      : needsCard
                        ? "No card is chosen for renewals"
                        : "Auto-renewal is off"}
                  </Note>
                )}
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

/** The next charge. While a change of the renewal is being saved, the one that it will lead to. */
const useNextCharge = () => {
  const { subscription, offers } = useLoaderData<typeof loader>();
  const { formData } = useNavigation();
  const intent = formData?.get("intent");
  if (intent === "auto-renew" && formData?.get("auto_renew") !== "on") return null;
  const renewalTerm = intent === "renewal-term" ? formData?.get("renewal_term") : subscription.renewalTerm;
  return intent === "auto-renew" || intent === "renewal-term"
    ? (offers.find(({ term }) => term === renewalTerm)?.nextCharge ?? null)
    : subscription.nextCharge;
};
