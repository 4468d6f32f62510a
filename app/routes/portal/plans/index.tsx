import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { planTermsInWords } from "#app/domain/paid-plans/paid-plan.ts";
import { planPrices } from "#app/domain/paid-plans/prices.server.ts";
import { anonymousLimits, type PlanLimits, planLimits, plans } from "#app/domain/plans/plans.ts";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import { visit } from "#app/portal/session.server.ts";
import { FeatureList } from "./feature-list.tsx";

export const meta: MetaFunction = () => [
  { title: "Plans · Shipping Route Data Service" },
  {
    name: "description",
    content:
      "Compare the Free, Professional and Enterprise plans: API requests per hour, API keys and how long the request log is kept. Route data is bought separately, per route.",
  },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visit(args);
  const prices = await planPrices(ctx);
  return {
    ownPlan: caller?.account.plan ?? null,
    plans: plans.map((name) => ({ name, monthlyCents: prices[name] ?? null, ...(planLimits[name] as PlanLimits) })),
    isTaxed: ctx.tax !== null,
    terms: planTermsInWords,
    anonymousHourly: anonymousLimits.hourly,
  };
};

const PlansPage = () => {
  const { plans, ownPlan, terms, anonymousHourly } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-8">
      <PageHeader
        title="Plans"
        description="A plan sets how much you can use the API. Route data comes with subscriptions, which you buy per route on any plan."
        actions={
          ownPlan === null ? (
            <ButtonLink to="/register" variant="primary">
              Create a free account
            </ButtonLink>
          ) : (
            <ButtonLink to="/plan">Your plan and usage</ButtonLink>
          )
        }
      />
      <PlanCards />
      <section className="grid gap-4" aria-labelledby="how">
        <h2 id="how" className="font-semibold text-ink text-lg tracking-tight">
          How plans and subscriptions work together
        </h2>
        <div className="grid items-start gap-4 md:grid-cols-2">
          <Card title="A plan sets your limits">
            <Facts>
              <li>One plan per account. All your keys, tokens and endpoints share its limits.</li>
              <li>It does not include route data: without a subscription, the API returns 403 for a route's data.</li>
              <li>
                Without an account you can send {formatNumber(anonymousHourly)} requests an hour, for public endpoints
                only.
              </li>
            </Facts>
            <p className="mt-3 text-sm">
              <Link to="/docs/rate-limits" className="link">
                How we count requests
              </Link>
            </p>
          </Card>
          <Card title="A subscription gives you a route's data">
            <Facts>
              <li>You buy it per route, for 1 to 12 months, by card. Each route shows its price per month.</li>
              <li>You read the data in the portal and through the API, on every plan.</li>
              <li>Longer terms and larger orders get discounts. The plan does not change the price.</li>
            </Facts>
            <p className="mt-3 text-sm">
              <Link to="/routes" className="link">
                Browse routes and prices
              </Link>
            </p>
          </Card>
        </div>
      </section>
      <Card title="How to change your plan">
        <Facts>
          {plans.some(({ monthlyCents }) => monthlyCents !== null) ? (
            <li>
              You buy plans with a price yourself, by card, for {terms}. They do not renew automatically: after the last
              day your account is on the Free plan.
            </li>
          ) : null}
          <li>
            For anything else, tell us what you need. We reply by e-mail with a price and set the plan up, usually with
            a question or two.
          </li>
          <li>Your keys, subscriptions and request log stay as they are. New limits apply from your next request.</li>
          <li>Enterprise accounts can request a custom hourly limit.</li>
        </Facts>
        <p className="mt-4">
          <ButtonLink to={ownPlan === null ? "/register?next=/plan" : "/plan#request"} preventScrollReset={false}>
            {ownPlan === null ? "Create an account to request a plan" : "Request a plan"}
          </ButtonLink>
        </p>
      </Card>
    </div>
  );
};

export default PlansPage;

const Facts = ({ children }: { children: ReactNode }) => (
  <ul className="grid list-disc gap-1.5 pl-5 text-sm leading-6">{children}</ul>
);

const PlanCards = () => {
  const { plans, ownPlan, isTaxed } = useLoaderData<typeof loader>();
  const ownPlace = plans.findIndex(({ name }) => name === ownPlan);
  return (
    <ul className="grid gap-4 md:grid-cols-3">
      {plans.map((plan, place) => {
        const isOwn = plan.name === ownPlan;
        return (
          <li
            key={plan.name}
            className={`flex flex-col rounded-xl border bg-surface px-5 py-4 shadow-card ${isOwn ? "border-accent-fill outline-1 outline-accent-fill" : "border-line"}`}
          >
            <h2 className="flex flex-wrap items-center justify-between gap-2 font-semibold text-ink">
              {formatWord(plan.name)}
              {isOwn ? <Badge tone="accent">Your plan</Badge> : null}
            </h2>
            <p className="mt-1 font-semibold text-2xl text-ink leading-8 tracking-tight">
              {place === 0
                ? "No charge"
                : plan.monthlyCents === null
                  ? "Price on request"
                  : formatMoney(plan.monthlyCents)}
              {plan.monthlyCents === null ? null : (
                <span className="ml-1.5 font-normal text-muted text-sm tracking-normal">
                  per month{isTaxed ? " before tax" : ""}
                </span>
              )}
            </p>
            <p className="text-[0.8125rem] text-muted leading-5">{audiences[plan.name]}</p>
            <div className="mt-4">
              <FeatureList limits={plan} />
            </div>
            <div className="mt-auto pt-4">
              <Choose plan={plan.name} isFirst={place === 0} isSold={plan.monthlyCents !== null && place > ownPlace} />
            </div>
          </li>
        );
      })}
    </ul>
  );
};

const audiences = {
  free: "To evaluate the data and for small integrations.",
  professional: "For systems in production that poll several routes.",
  enterprise: "For high volumes, many systems and long audits.",
};

const Choose = ({ plan, isFirst, isSold }: { plan: keyof typeof audiences; isFirst: boolean; isSold: boolean }) => {
  const { ownPlan } = useLoaderData<typeof loader>();
  if (plan === ownPlan) {
    return (
      <ButtonLink to="/plan" size="small">
        View your usage
      </ButtonLink>
    );
  }
  if (ownPlan === null && isFirst) {
    return (
      <ButtonLink to="/register" size="small">
        Start with Free
      </ButtonLink>
    );
  }
  const next = isSold ? `/plan/${plan}` : `/plan?plan=${plan}`;
  return (
    <ButtonLink
      to={ownPlan === null ? `/register?${new URLSearchParams({ next })}` : isSold ? next : `${next}#request`}
      variant={isSold ? "primary" : "secondary"}
      size="small"
      preventScrollReset={false}
    >
      {isSold ? "Upgrade to" : "Request"} {formatWord(plan)}
    </ButtonLink>
  );
};
