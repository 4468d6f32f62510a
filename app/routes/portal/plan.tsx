import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { anonymousLimits, type PlanLimits, planLimits, plans, storageInWords } from "../../domain/plans/plans.ts";
import { customPricingInWords } from "../../domain/pricing/volume-discount.ts";
import { budgetOf } from "../../domain/rate-limit/policy.ts";
import { pendingPlanRequest, requestPlan } from "../../domain/support/plan-request.server.ts";
import { newPlanRequest, textLimits } from "../../domain/support/request.ts";
import { planUsage } from "../../domain/usage/plan-usage.server.ts";
import { recentDays } from "../../domain/usage/policy.ts";
import { counted } from "../../domain/wording.ts";
import { AccountSettings } from "../../portal/components/account-settings.tsx";
import { Badge } from "../../portal/components/badge.tsx";
import { ButtonLink } from "../../portal/components/button.tsx";
import { Card } from "../../portal/components/card.tsx";
import { errorOf } from "../../portal/components/field-errors.ts";
import { FormError } from "../../portal/components/form-error.tsx";
import { Icon } from "../../portal/components/icon.tsx";
import { PageHeader } from "../../portal/components/page-header.tsx";
import { ProgressBar } from "../../portal/components/progress-bar.tsx";
import { RadioCards } from "../../portal/components/radio-cards.tsx";
import { SubmitButton } from "../../portal/components/submit-button.tsx";
import { SupportBadge } from "../../portal/components/support-badge.tsx";
import { TextAreaField } from "../../portal/components/text-area-field.tsx";
import { formAction, memberForm } from "../../portal/form-action.server.ts";
import { formatCount, formatDay, formatInstant, formatNumber, formatTime, formatWord } from "../../portal/format.ts";
import { visitOfMember } from "../../portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Plan and limits · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [use, pending] = await Promise.all([planUsage(ctx, caller), pendingPlanRequest(ctx, caller)]);
  const { plan, customDiscountPercent } = caller.account;
  const preselected = new URL(args.request.url).searchParams.get("plan");
  return {
    plan,
    limits: { ...planLimits[plan], ...budgetOf(caller.account) } as PlanLimits,
    hasOwnHourlyLimit: budgetOf(caller.account).hourly !== planLimits[plan].hourly,
    customDiscountPercent,
    use: {
      ...use,
      quota: { ...use.quota, resetsAt: use.quota.resetsAt.toISOString() },
      oldestLogAt: use.oldestLogAt?.toISOString() ?? null,
      busiestHour: use.busiestHour && { ...use.busiestHour, hour: use.busiestHour.hour.toISOString() },
    },
    plans: plans.map((name) => ({ name, ...(planLimits[name] as PlanLimits) })),
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
        description="Limits hold for the account as a whole: all keys, tokens and endpoints together."
      />
      <Use />
      <section className="grid gap-4" aria-labelledby="plans">
        <h2 id="plans" className="font-semibold text-ink text-lg tracking-tight">
          Plans compared
        </h2>
        <Comparison />
        <p className="text-[0.8125rem] text-muted">
          Requests without credentials have a limit of their own: {formatNumber(anonymousHourly)} an hour from one
          address.{" "}
          <Link to="/docs/rate-limits" className="link">
            How limits are counted
          </Link>
        </p>
      </section>
      <Request />
    </AccountSettings>
  );
};

export default PlanPage;

const Use = () => {
  const { limits, use, hasOwnHourlyLimit, customDiscountPercent } = useLoaderData<typeof loader>();
  const { quota, keys, oldestLogAt, busiestHour, rateLimited } = use;
  return (
    <Card title="What you use">
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
        <Figure note={`Starts anew at ${formatTime(quota.resetsAt)} UTC. Refused requests count too.`}>
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
              ? "No request was refused for its limit."
              : `${formatCount(rateLimited, "request was", "requests were")} refused for a limit.`
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
        <Figure note={oldestLogAt ? `The oldest is of ${formatDay(oldestLogAt)}.` : "Nothing has been logged yet."}>
          <Line label="Single requests in the log" value={`Kept ${storageInWords(limits.storageDays)}`} />
        </Figure>
        {customDiscountPercent === null ? null : (
          <Figure note={`On orders of ${customPricingInWords}.`}>
            <Line label="Agreed discount" value={`${formatNumber(customDiscountPercent)}%`} />
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
            <ul className="mt-3 grid gap-2 text-sm">
              {featuresOf(isOwn ? { ...each, hourly: limits.hourly } : each, isOwn && hasOwnHourlyLimit).map(
                (feature) => (
                  <li key={feature} className="flex items-start gap-2">
                    <Icon name="check" className="mt-0.5 size-4 text-accent" />
                    {feature}
                  </li>
                ),
              )}
            </ul>
            {pending || (isOwn && !each.allowsCustomHourly) ? null : (
              <div className="mt-auto pt-4">
                <ButtonLink to={`/plan?plan=${each.name}#request`} size="small" preventScrollReset={false}>
                  {isOwn ? "Ask for other limits" : `Ask for ${formatWord(each.name)}`}
                </ButtonLink>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
};

const featuresOf = (limits: PlanLimits, agreed: boolean): string[] => [
  `${formatNumber(limits.hourly)} requests an hour${agreed ? ", as agreed" : limits.allowsCustomHourly ? ", or as agreed" : ""}`,
  `${formatNumber(limits.burst)} requests in one second`,
  limits.maxApiKeys === null ? "API keys without limit" : formatCount(limits.maxApiKeys, "API key"),
  `Request log kept ${storageInWords(limits.storageDays)}`,
];

const Request = () => {
  const { plan, plans, pending, preselected, maxLength } = useLoaderData<typeof loader>();
  const problem = useActionData<typeof action>()?.problem;
  if (pending) {
    return (
      <div id="request" tabIndex={-1}>
        <Card
          title="Your request"
          description={`${pending.requestedPlan ? `You asked for the ${pending.requestedPlan} plan. ` : ""}Last change ${formatInstant(pending.updatedAt)}.`}
          actions={
            <>
              <SupportBadge status={pending.status} reader="holder" />
              <ButtonLink to={`/support/${pending.id}`} size="small">
                Open the request
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
        title="Ask for another plan"
        description="Our staff sets plans up. We answer by mail, usually with a question or two about your volume."
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
            hint="Requests an hour at your busiest, the number of systems that need a key, and from when on."
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
