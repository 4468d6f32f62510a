import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { agreedPercentOn } from "#app/domain/accounts/volume-agreement.ts";
import { dayOf, lastDayOf } from "#app/domain/dates.ts";
import { whyNotForSale } from "#app/domain/paid-plans/paid-plan.ts";
import { heldPlan } from "#app/domain/paid-plans/paid-plans.server.ts";
import { planPrices } from "#app/domain/paid-plans/prices.server.ts";
import { anonymousLimits, type PlanLimits, planLimits, plans, storageInWords } from "#app/domain/plans/plans.ts";
import { customPricingInWords } from "#app/domain/pricing/volume-discount.ts";
import { budgetOf } from "#app/domain/rate-limit/policy.ts";
import { pendingPlanRequest, requestPlan } from "#app/domain/support/plan-request.server.ts";
import { newPlanRequest, textLimits } from "#app/domain/support/request.ts";
import { planUsage } from "#app/domain/usage/plan-usage.server.ts";
import { recentDays } from "#app/domain/usage/policy.ts";
import { counted } from "#app/domain/wording.ts";
import { AccountSettings } from "#app/portal/components/account-settings.tsx";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { ProgressBar } from "#app/portal/components/progress-bar.tsx";
import { RadioCards } from "#app/portal/components/radio-cards.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { SupportBadge } from "#app/portal/components/support-badge.tsx";
import { TextAreaField } from "#app/portal/components/text-area-field.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import {
  formatCount,
  formatDay,
  formatInstant,
  formatMoney,
  formatNumber,
  formatTime,
  formatWord,
} from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { FeatureList } from "./feature-list.tsx";

export const meta: MetaFunction = () => [{ title: "Plan and limits · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [use, pending, held, prices] = await Promise.all([
    planUsage(ctx, caller),
    pendingPlanRequest(ctx, caller),
    heldPlan(ctx, caller),
    planPrices(ctx),
  ]);
  const today = dayOf(ctx.clock.now());
  const { plan, customDiscountThrough: agreedThrough } = caller.account;
  const agreedPercent = agreedPercentOn(caller.account, today);
  const preselected = new URL(args.request.url).searchParams.get("plan");
  return {
    plan,
    limits: { ...planLimits[plan], ...budgetOf(caller.account) } as PlanLimits,
    hasOwnHourlyLimit: budgetOf(caller.account).hourly !== planLimits[plan].hourly,
    agreedPercent,
    agreedThrough,
    use: {
      ...use,
      quota: { ...use.quota, resetsAt: use.quota.resetsAt.toISOString() },
      oldestLogAt: use.oldestLogAt?.toISOString() ?? null,
      busiestHour: use.busiestHour && { ...use.busiestHour, hour: use.busiestHour.hour.toISOString() },
    },
    paidThrough: held.paid && lastDayOf(held.paid.endDate),
    plans: plans.map((name) => {
      const monthlyCents = prices[name] ?? null;
      const isForSale = monthlyCents !== null && whyNotForSale(held, name, today) === null;
      return { name, monthlyCents, isForSale, ...(planLimits[name] as PlanLimits) };
    }),
    anonymousHourly: anonymousLimits.hourly,
    pending: pending && { ...pending, updatedAt: pending.updatedAt.toISOString() },
    preselected: plans.find((name) => name === preselected) ?? plans[plans.indexOf(plan) + 1] ?? plan,
    maxLength: textLimits.message,
  };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    request: memberForm(newPlanRequest, async ({ ctx, caller }, input) => {
      const { id } = await requestPlan(ctx, caller, input);
      throw redirect(`/support/${id}`);
    }),
  })(args);

const PlanPage = () => {
  const { plan, anonymousHourly } = useLoaderData<typeof loader>();
  return (
    <AccountSettings>
      <PageHeader
        title="Plan and limits"
        badge={<Badge tone="accent">{formatWord(plan)}</Badge>}
        description="All keys, tokens and endpoints of your account share these limits."
      />
      <PaidThrough />
      <Use />
      <section className="grid gap-4" aria-labelledby="plans">
        <h2 id="plans" className="font-semibold text-ink text-lg tracking-tight">
          Plans compared
        </h2>
        <Comparison />
        <p className="text-[0.8125rem] text-muted">
          Requests without credentials have their own limit: {formatNumber(anonymousHourly)} an hour from one address.{" "}
          <Link to="/docs/rate-limits" className="link">
            How we count requests
          </Link>
          {" · "}
          <Link to="/plans" className="link">
            Plans and subscriptions
          </Link>
        </p>
      </section>
      <Request />
    </AccountSettings>
  );
};

export default PlanPage;

/** A plan that was paid for has a last day. */
const PaidThrough = () => {
  const { plan, plans, paidThrough } = useLoaderData<typeof loader>();
  if (paidThrough === null) return null;
  const canExtend = plans.some(({ name, isForSale }) => name === plan && isForSale);
  return (
    <Alert
      tone="info"
      title={`Last day of your ${formatWord(plan)} plan: ${formatDay(paidThrough)}`}
      action={
        canExtend ? (
          <ButtonLink to={`/plan/${plan}`} size="small">
            Extend {formatWord(plan)}
          </ButtonLink>
        ) : undefined
      }
    >
      Does not renew automatically. After that day your account is on the Free plan.
      {canExtend ? "" : " To keep the plan, request it below."}
    </Alert>
  );
};

const Use = () => {
  const { limits, use, hasOwnHourlyLimit, agreedPercent, agreedThrough } = useLoaderData<typeof loader>();
  const { quota, keys, oldestLogAt, busiestHour, rateLimited } = use;
  return (
    <Card title="Your usage">
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        <Figure note={`The count starts again at ${formatTime(quota.resetsAt)} UTC. Requests that fail count, too.`}>
          <ProgressBar
            label="Requests this hour"
            value={quota.limit - quota.remaining}
            max={quota.limit}
            unit={hasOwnHourlyLimit ? "as agreed" : ""}
          />
        </Figure>
        <Figure note="Inactive keys included.">
          {limits.maxApiKeys === null ? (
            <Line label="API keys" value={`${formatNumber(keys)}, no limit`} />
          ) : (
            <ProgressBar label="API keys" value={keys} max={limits.maxApiKeys} />
          )}
        </Figure>
        <Figure
          note={
            rateLimited === 0
              ? "No requests exceeded a limit."
              : `${formatCount(rateLimited, "request")} exceeded a limit and got a 429.`
          }
        >
          <Line
            label={`Busiest hour of the last ${counted(recentDays, "day")}`}
            value={busiestHour ? formatCount(busiestHour.requests, "request") : "None"}
          />
          {busiestHour ? (
            <p className="text-[0.8125rem] text-muted leading-5">{formatInstant(busiestHour.hour)}</p>
          ) : null}
        </Figure>
        <Figure note={oldestLogAt ? `The oldest is from ${formatDay(oldestLogAt)}.` : "There are no requests yet."}>
          <Line label="Request log" value={`Kept ${storageInWords(limits.storageDays)}`} />
        </Figure>
        {agreedPercent === null ? null : (
          <Figure
            note={`On orders and renewals of ${customPricingInWords}${agreedThrough ? `, last day ${formatDay(agreedThrough)}` : ""}.`}
          >
            <Line label="Agreed discount" value={`${formatNumber(agreedPercent)}%`} />
          </Figure>
        )}
      </div>
    </Card>
  );
};

const Figure = ({ note, children }: { note: string; children: ReactNode }) => (
  <div className="grid content-start gap-1.5">
    {children}
    <p className="text-[0.8125rem] text-muted leading-5">{note}</p>
  </div>
);

const Line = ({ label, value }: { label: string; value: string }) => (
  <p className="flex justify-between gap-4 text-sm">
    <span className="font-medium text-ink">{label}</span>
    <span className="text-right text-muted tabular-nums">{value}</span>
  </p>
);

const Comparison = () => {
  const { plan, plans, pending, limits, hasOwnHourlyLimit } = useLoaderData<typeof loader>();
  return (
    <ul className="grid gap-4 md:grid-cols-3">
      {plans.map((each) => {
        const isOwn = each.name === plan;
        return (
          <li
            key={each.name}
            className={`flex flex-col rounded-xl border bg-surface px-5 py-4 shadow-card ${isOwn ? "border-accent-fill outline-1 outline-accent-fill" : "border-line"}`}
          >
            <h3 className="flex flex-wrap items-center justify-between gap-2 font-semibold text-ink">
              {formatWord(each.name)}
              {isOwn ? <Badge tone="accent">Your plan</Badge> : null}
            </h3>
            <p className="text-[0.8125rem] text-muted leading-5">{priceInWords(each)}</p>
            <div className="mt-3">
              <FeatureList
                limits={isOwn ? { ...each, hourly: limits.hourly } : each}
                agreed={isOwn && hasOwnHourlyLimit}
              />
            </div>
            {each.isForSale ? (
              <div className="mt-auto pt-4">
                <ButtonLink to={`/plan/${each.name}`} size="small" variant={isOwn ? "secondary" : "primary"}>
                  {isOwn ? "Extend" : "Upgrade to"} {formatWord(each.name)}
                </ButtonLink>
              </div>
            ) : pending || (isOwn && !each.allowsCustomHourly) ? null : (
              <div className="mt-auto pt-4">
                <ButtonLink to={`/plan?plan=${each.name}#request`} size="small" preventScrollReset={false}>
                  {isOwn ? "Request other limits" : `Request ${formatWord(each.name)}`}
                </ButtonLink>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
};

const priceInWords = ({ name, monthlyCents }: { name: string; monthlyCents: number | null }): string => {
  if (name === "free") return "No charge";
  return monthlyCents === null ? "Price on request" : `${formatMoney(monthlyCents)} per month`;
};

const Request = () => {
  const { plan, plans, pending, preselected, maxLength } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  if (pending) {
    return (
      <div id="request" tabIndex={-1}>
        <Card
          title="Your request"
          description={`${pending.requestedPlan ? `You requested the ${pending.requestedPlan} plan. ` : ""}Updated ${formatInstant(pending.updatedAt)}.`}
          actions={
            <>
              <SupportBadge status={pending.status} reader="holder" />
              <ButtonLink to={`/support/${pending.id}`} size="small">
                Open request
              </ButtonLink>
            </>
          }
        />
      </div>
    );
  }
  const choices = plans.filter(({ name, allowsCustomHourly }) => name !== plan || allowsCustomHourly);
  return (
    <div id="request" tabIndex={-1}>
      <Card
        title="Request another plan"
        description="Tell us what you need. We reply by e-mail and here, with a price and any questions about your volume."
      >
        <Form method="post" className="grid items-start gap-x-6 gap-y-5 lg:grid-cols-2" noValidate key={preselected}>
          {problem ? (
            <div className="lg:col-span-2">
              <FormError message={problem.message} fields={problem.fields} />
            </div>
          ) : null}
          <RadioCards
            name="requested_plan"
            label="Plan"
            defaultValue={problem?.values.requested_plan ?? preselected}
            options={choices.map((each) => ({
              value: each.name,
              title: each.name === plan ? `${formatWord(each.name)} with other limits` : formatWord(each.name),
              detail: summaryOf(each),
            }))}
            error={errorOf(problem?.fields, "requested_plan")}
          />
          <TextAreaField
            name="message"
            label="What you need it for"
            hint="Requests in your busiest hour, how many systems need a key, and when you want to start."
            required
            rows={4}
            maxLength={maxLength}
            defaultValue={problem?.values.message}
            error={errorOf(problem?.fields, "message")}
          />
          <div>
            <SubmitButton name="intent" value="request" pendingLabel="Sending…">
              {plan === plans[0]?.name ? "Request upgrade" : "Send request"}
            </SubmitButton>
          </div>
        </Form>
      </Card>
    </div>
  );
};

const summaryOf = (limits: PlanLimits): string =>
  [
    `${formatNumber(limits.hourly)} requests an hour`,
    limits.maxApiKeys === null ? "unlimited keys" : formatCount(limits.maxApiKeys, "key"),
    `log ${storageInWords(limits.storageDays)}`,
  ].join(" · ");
