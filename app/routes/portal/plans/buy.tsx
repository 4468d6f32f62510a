import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { dayOf, lastDayOf } from "#app/domain/dates.ts";
import { buyPlan } from "#app/domain/paid-plans/buy-plan.server.ts";
import { planAfter, planTotalCents, whyNotForSale } from "#app/domain/paid-plans/paid-plan.ts";
import { heldPlan } from "#app/domain/paid-plans/paid-plans.server.ts";
import { planTerms, soldPlans } from "#app/domain/paid-plans/policy.ts";
import { planPrices } from "#app/domain/paid-plans/prices.server.ts";
import { type PlanLimits, planLimits } from "#app/domain/plans/plans.ts";
import { monthsOf } from "#app/domain/pricing/discounts.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { RadioCards } from "#app/portal/components/radio-cards.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatDay, formatMoney, formatWord } from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { FeatureList } from "./feature-list.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? titleOf(data) : "Plan"} · Shipping Route Data Service` },
];

const titleOf = ({ plan, isExtension }: { plan: string; isExtension: boolean }) =>
  isExtension ? `Extend ${formatWord(plan)}` : `Upgrade to ${formatWord(plan)}`;

const soldPlanOf = (param: string | undefined) => {
  const plan = soldPlans.find((name) => name === param);
  if (!plan) throw new Response("No such plan", { status: 404 });
  return plan;
};

export const loader = async (args: LoaderFunctionArgs) => {
  const plan = soldPlanOf(args.params.plan);
  const { ctx, caller } = await visitOfMember(args);
  const [{ [plan]: monthlyCents }, held] = await Promise.all([planPrices(ctx), heldPlan(ctx, caller)]);
  if (monthlyCents === undefined) throw redirect(`/plan?plan=${plan}#request`);
  const today = dayOf(ctx.clock.now());
  const outlooks = planTerms.map((term) => ({ term, ...planAfter(held, { plan, term }, today) }));
  return {
    plan,
    monthlyCents,
    limits: planLimits[plan] as PlanLimits,
    refusal: whyNotForSale(held, plan, today),
    isExtension: outlooks.some(({ isExtension }) => isExtension) && held.plan === plan,
    isTaxed: ctx.tax !== null,
    offers: outlooks.map(({ term, startDate, endDate }) => ({
      term,
      months: monthsOf[term],
      totalCents: planTotalCents(monthlyCents, term),
      firstDay: startDate,
      lastDay: lastDayOf(endDate),
    })),
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    buy: memberForm(
      z.object({ term: z.enum(planTerms, "Choose a term") }),
      async ({ ctx, caller, params }, { term }) => {
        const { orderId } = await buyPlan(ctx, caller, { plan: soldPlanOf(params.plan), term });
        throw redirect(`/checkout/${orderId}`);
      },
    ),
  })(args);

const BuyPlan = () => {
  const data = useLoaderData<typeof loader>();
  const { plan, monthlyCents, limits, refusal, isTaxed } = data;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Plan and limits", to: "/plan" }]}
        title={titleOf(data)}
        description={`${formatMoney(monthlyCents)} per month${isTaxed ? " before tax" : ""}. Does not renew automatically.`}
      />
      <div className="grid items-start gap-6 lg:grid-cols-[1.1fr_1fr]">
        {refusal ? (
          <Alert
            tone="info"
            title="You cannot buy this plan now"
            action={
              <ButtonLink to={`/plan?plan=${plan}#request`} size="small" preventScrollReset={false}>
                Request {formatWord(plan)}
              </ButtonLink>
            }
          >
            {refusal}.
          </Alert>
        ) : (
          <Terms />
        )}
        <Card title="What you get">
          <FeatureList limits={limits} />
          <p className="mt-4 text-muted text-sm leading-6">
            Route data is not included. You buy it per route, as a subscription.
          </p>
        </Card>
      </div>
    </div>
  );
};

export default BuyPlan;

const Terms = () => {
  const { offers, isExtension } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  return (
    <Card title="Term">
      <Form method="post" className="grid gap-5" noValidate>
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <RadioCards
          name="term"
          label="Length of the term"
          defaultValue={problem?.values.term ?? offers[0]?.term}
          error={errorOf(problem?.fields, "term")}
          options={offers.map(({ term, months, totalCents, firstDay, lastDay }) => ({
            value: term,
            title: formatCount(months, "month"),
            detail: `${formatDay(firstDay)} – ${formatDay(lastDay)}`,
            aside: formatMoney(totalCents),
          }))}
        />
        <p className="text-muted text-sm leading-6">
          {isExtension
            ? "These days follow those that you have paid for. "
            : "The new limits apply as soon as you pay. "}
          After the last day your account is on the Free plan, unless you extend it.
        </p>
        <div>
          <SubmitButton name="intent" value="buy" pendingLabel="Opening payment…">
            Continue to payment
          </SubmitButton>
        </div>
      </Form>
    </Card>
  );
};
