import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { getAccountFile } from "#app/domain/operations/account-file.server.ts";
import {
  agreedDiscount,
  hourlyLimit,
  planChange,
  standingChange,
  twoFactorRemoval,
} from "#app/domain/operations/account-forms.ts";
import { listAudit } from "#app/domain/operations/audit.server.ts";
import {
  changePlan,
  reinstate,
  setAgreedDiscount,
  setHourlyLimit,
  suspend,
} from "#app/domain/operations/change-account.server.ts";
import { getAccountProfile } from "#app/domain/operations/find-accounts.server.ts";
import { findSubscriptions } from "#app/domain/operations/find-subscriptions.server.ts";
import { chartDays } from "#app/domain/operations/policy.ts";
import { removeHoldersTwoFactor } from "#app/domain/operations/remove-two-factor.server.ts";
import { signOutEverywhere } from "#app/domain/operations/sign-out.server.ts";
import { disputesOfAccount } from "#app/domain/payments/disputes.server.ts";
import { hourlyLimitOf, type Plan, planLimits, plans } from "#app/domain/plans/plans.ts";
import { planRequestOf } from "#app/domain/support/answer.server.ts";
import { counted } from "#app/domain/wording.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { DisputeNotice, disputeView, isContested } from "#app/portal/components/dispute-notice.tsx";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { StandingBadge } from "#app/portal/components/standing-badge.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatCount, formatMoney, formatNumber, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { auditRow } from "../audit/audit-row.ts";
import { subscriptionRow } from "../subscriptions/subscription-row.ts";
import { Acts } from "./account-forms.tsx";
import { Activity, Invoices, Keys, Profile, Subscriptions, Usage } from "./file-cards.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.profile.username ?? "Account"} · Operations · Shipping Route Data Service` },
];

const shown = 10;

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const id = idOf(args.params.account_id);
  const { createdAt, closedAt, emailVerifiedAt, twoFactor, ...profile } = await orErrorResponse(
    getAccountProfile(ctx, caller, { id }),
  );
  const [file, subscriptions, audit, planRequest, disputes] = await Promise.all([
    getAccountFile(ctx, caller, { id }),
    findSubscriptions(ctx, caller, { account: id }, { limit: shown }),
    listAudit(ctx, caller, { account: id }, { limit: shown }),
    planRequestOf(ctx, caller, { accountId: id }),
    disputesOfAccount(ctx, caller, { accountId: id }),
  ]);
  return {
    profile: {
      ...profile,
      createdAt: createdAt.toISOString(),
      isClosed: closedAt !== null,
      emailVerifiedAt: emailVerifiedAt?.toISOString() ?? null,
      twoFactor: twoFactor.isOn ? { ...twoFactor, since: twoFactor.since.toISOString() } : null,
    },
    disputes: disputes.filter(isContested).map(disputeView),
    limits: planLimits[profile.plan],
    plans: plans.map((plan) => ({ plan, ...planLimits[plan] })),
    planRequest: planRequest && { id: planRequest.id, requestedPlan: planRequest.requestedPlan },
    isOwn: id === caller.account.id,
    paidCents: file.paidCents,
    runningSubscriptions: file.runningSubscriptions,
    usage: file.usage,
    keys: file.keys.map(({ createdAt, lastUsedAt, ...key }) => ({
      ...key,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    invoices: file.invoices.map(({ issuedAt, ...invoice }) => ({ ...invoice, issuedAt: issuedAt.toISOString() })),
    subscriptions: { rows: subscriptions.rows.map(subscriptionRow), more: subscriptions.nextCursor !== null },
    audit: { rows: audit.rows.map(auditRow), more: audit.nextCursor !== null },
  };
};

type Done = { message: string };

export const action = (args: ActionFunctionArgs) =>
  formAction<Done>({
    plan: operatorForm(planChange, async ({ ctx, caller, params }, input) => {
      const accountId = idOf(params.account_id);
      await changePlan(ctx, caller, { accountId, plan: input.plan, reason: input.plan_reason });
      return { message: `The plan is now ${input.plan}. We sent the account holder an e-mail.` };
    }),
    limit: operatorForm(hourlyLimit, async ({ ctx, caller, params }, input) => {
      await setHourlyLimit(ctx, caller, { accountId: idOf(params.account_id), hourlyLimit: input.hourly_limit });
      return {
        message:
          input.hourly_limit === null
            ? "The hourly limit of the plan applies again."
            : `The hourly limit is now ${formatNumber(input.hourly_limit)}.`,
      };
    }),
    discount: operatorForm(agreedDiscount, async ({ ctx, caller, params }, input) => {
      await setAgreedDiscount(ctx, caller, {
        accountId: idOf(params.account_id),
        percent: input.discount_percent,
        through: input.discount_through,
      });
      return {
        message:
          input.discount_percent === null
            ? "The agreed discount has ended."
            : `The agreed discount is now ${input.discount_percent}%.`,
      };
    }),
    suspend: operatorForm(standingChange, async ({ ctx, caller, params }, input) => {
      await suspend(ctx, caller, { accountId: idOf(params.account_id), reason: input.standing_reason });
      return { message: "The account is suspended. We sent the account holder an e-mail." };
    }),
    reinstate: operatorForm(standingChange, async ({ ctx, caller, params }, input) => {
      await reinstate(ctx, caller, { accountId: idOf(params.account_id), reason: input.standing_reason });
      return { message: "The account is in good standing again. We sent the account holder an e-mail." };
    }),
    "two-factor": operatorForm(twoFactorRemoval, async ({ ctx, caller, params }, input) => {
      const accountId = idOf(params.account_id);
      const { endedSessions } = await removeHoldersTwoFactor(ctx, caller, {
        accountId,
        reason: input.two_factor_reason,
      });
      return {
        message: `Two-factor sign-in is off, and ${formatCount(endedSessions, "session was", "sessions were")} signed out. We sent the account holder an e-mail.`,
      };
    }),
    "sign-out": operatorForm(z.object({}), async ({ ctx, caller, params }) => {
      const { endedSessions } = await signOutEverywhere(ctx, caller, { accountId: idOf(params.account_id) });
      return { message: `${formatCount(endedSessions, "session was", "sessions were")} signed out.` };
    }),
  })(args);

const Account = () => {
  const data = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { profile } = data;
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[{ label: "Accounts", to: "/operations/accounts" }]}
        title={<span className="break-all">{profile.username}</span>}
        badge={
          <>
            <StandingBadge standing={profile.standing} isClosed={profile.isClosed} />
            {profile.role === "operator" ? <Badge tone="accent">Operator</Badge> : null}
          </>
        }
        description={<span className="break-all">{profile.email}</span>}
      />
      {answer?.result ? (
        <Alert tone="success" live>
          {answer.result.message}
        </Alert>
      ) : null}
      {answer?.problem ? <FormError message={answer.problem.message} fields={answer.problem.fields} /> : null}
      {data.disputes.map((dispute) => (
        <DisputeNotice key={dispute.id} dispute={dispute}>
          {dispute.status === "lost"
            ? "Decide whether to reinstate the account."
            : "Respond at the payment provider. We charge its card again only if the account holder chooses it."}
        </DisputeNotice>
      ))}
      {data.planRequest ? <PlanRequest request={data.planRequest} plan={profile.plan} /> : null}
      <Stats>
        <Stat label="Plan" value={formatWord(profile.plan)} note={budgetInWords(data)} />
        <Stat label="Active subscriptions" value={formatNumber(data.runningSubscriptions)} />
        <Stat label="Paid in total" value={formatMoney(data.paidCents)} note="Less refunds and chargebacks" />
        <Stat
          label={`Requests in ${counted(chartDays, "day")}`}
          value={formatNumber(data.usage.reduce((sum, { requests }) => sum + requests, 0))}
        />
        <Stat label="Sessions" value={formatNumber(profile.openSessions)} note="Browsers and bearer tokens" />
      </Stats>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="grid gap-6 lg:col-start-2">
          <Profile profile={profile} />
          <Acts
            key={answer?.result?.message}
            account={profile}
            isOwn={data.isOwn}
            plans={data.plans}
            requestedPlan={data.planRequest?.requestedPlan ?? null}
            problem={answer?.problem ?? null}
          />
        </div>
        <div className="grid gap-6 lg:col-start-1 lg:row-start-1">
          <Subscriptions accountId={profile.id} {...data.subscriptions} />
          <Usage usage={data.usage} />
          <Invoices accountId={profile.id} invoices={data.invoices} />
          <Keys keys={data.keys} maxApiKeys={data.limits.maxApiKeys} />
          <Activity accountId={profile.id} {...data.audit} />
        </div>
      </div>
    </div>
  );
};

export default Account;

type PlanRequestProps = { request: { id: number; requestedPlan: Plan | null }; plan: Plan };

const PlanRequest = ({ request: { id, requestedPlan }, plan }: PlanRequestProps) => (
  <Alert
    tone="warning"
    title={
      requestedPlan === null || requestedPlan === plan
        ? "Open request about this plan"
        : `Request for the ${requestedPlan} plan`
    }
    action={
      <ButtonLink to={`/operations/support/${id}`} size="small">
        Open the request
      </ButtonLink>
    }
  >
    {requestedPlan === plan
      ? `The account has the ${plan} plan. Reply to request ${id} and close it.`
      : `Request ${id} stays open until you reply and close it.`}
  </Alert>
);

const budgetInWords = ({ profile }: ReturnType<typeof useLoaderData<typeof loader>>): string =>
  `${formatNumber(hourlyLimitOf(profile))} requests an hour`;
