import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Standing } from "#app/domain/accounts/caller.ts";
import { lastDayOf } from "#app/domain/dates.ts";
import { type Plan, planLimits } from "#app/domain/plans/plans.ts";
import { customPricingFromRoutes, highestAgreedPercent } from "#app/domain/pricing/policy.ts";
import { customPricingInWords, renewalVolumeDiscount } from "#app/domain/pricing/volume-discount.ts";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { Icon } from "#app/portal/components/icon.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextAreaField } from "#app/portal/components/text-area-field.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import type { FormProblem } from "#app/portal/form-action.server.ts";
import { formatCount, formatDay, formatNumber, formatWord } from "#app/portal/format.ts";

type Props = {
  account: {
    plan: Plan;
    /** The first day without the plan, if the holder has paid for it. */
    paidPlanEnd: string | null;
    standing: Standing;
    isClosed: boolean;
    twoFactor: { since: string } | null;
    customHourlyLimit: number | null;
    customDiscountPercent: number | null;
    customDiscountThrough: string | null;
  };
  /** Whether it is the operator's own account. */
  isOwn: boolean;
  plans: readonly { plan: Plan; hourly: number; maxApiKeys: number | null; storageDays: number | null }[];
  /** The plan of an open plan request. The form that changes the plan is then open, with this plan selected. */
  requestedPlan: Plan | null;
  problem: FormProblem | null;
};

/** Each action expands to an explanation and its form. A form that was returned with errors stays open. */
export const Acts = (props: Props) => {
  const { account, isOwn } = props;
  if (account.isClosed) {
    return (
      <Card title="Actions" description="The account holder has closed this account. It can no longer be changed." />
    );
  }
  return (
    <Card
      title="Actions"
      description="Changes apply from the account's next request and are recorded in its log."
      flush
    >
      <div className="divide-y divide-line">
        <ChangePlan {...props} />
        <HourlyLimit {...props} />
        <Discount {...props} />
        <SignOut {...props} />
        {account.twoFactor === null || isOwn ? null : <RemoveTwoFactor {...props} since={account.twoFactor.since} />}
        {account.standing === "suspended" ? <Reinstate {...props} /> : isOwn ? null : <Suspend {...props} />}
      </div>
    </Card>
  );
};

type ActProps = {
  title: string;
  now: string;
  intent: string;
  problem: FormProblem | null;
  isOpen?: boolean;
  children: ReactNode;
};

const Act = ({ title, now, intent, problem, isOpen = false, children }: ActProps) => (
  <details className="group" open={isOpen || problem?.intent === intent}>
    <summary
      id={`act-${intent}`}
      className="flex min-h-12 items-center gap-3 px-5 py-2.5 text-sm hover:bg-canvas focus-visible:-outline-offset-2"
    >
      <span className="min-w-0 flex-1">
        <span className="block font-medium text-ink">{title}</span>
        <span className="block text-[0.8125rem] text-muted leading-5">{now}</span>
      </span>
      <Icon name="chevron-down" className="size-4 text-muted transition-transform group-open:rotate-180" />
    </summary>
    <Form method="post" preventScrollReset noValidate className="grid gap-4 px-5 pt-1 pb-5">
      {children}
    </Form>
  </details>
);

const What = ({ children }: { children: ReactNode }) => <p className="text-muted text-sm">{children}</p>;

const own = (problem: FormProblem | null, intent: string) => (problem?.intent === intent ? problem : null);

const Reason = ({ name, problem }: { name: string; problem: FormProblem | null }) => (
  <TextAreaField
    name={name}
    label="Reason"
    hint="The account holder sees it in the e-mail and in the account log"
    rows={3}
    required
    maxLength={500}
    defaultValue={problem?.values[name]}
    error={errorOf(problem?.fields, name)}
  />
);

const ChangePlan = ({ account, plans, requestedPlan, problem }: Props) => {
  const mine = own(problem, "plan");
  const wish = requestedPlan === account.plan ? null : requestedPlan;
  return (
    <Act
      title="Change plan"
      now={`${formatWord(account.plan)} now${account.paidPlanEnd ? `, paid for; last day ${formatDay(lastDayOf(account.paidPlanEnd))}` : ""}`}
      intent="plan"
      problem={problem}
      isOpen={wish !== null}
    >
      <What>
        Limits, number of keys and how long requests are kept change at once; the holder gets a mail. A plan that allows
        fewer keys than the account has is rejected.
        {account.paidPlanEnd === null ? "" : " The paid term ends, and nothing is refunded by this."}
        {account.customHourlyLimit === null ? "" : " The custom limit ends with the plan."}
      </What>
      <SelectField
        name="plan"
        label="New plan"
        defaultValue={mine?.values.plan ?? wish ?? ""}
        error={errorOf(mine?.fields, "plan")}
        options={[
          { value: "", label: "Choose a plan" },
          ...plans
            .filter(({ plan }) => plan !== account.plan)
            .map(({ plan, hourly, maxApiKeys }) => ({
              value: plan,
              label: `${formatWord(plan)}: ${formatNumber(hourly)}/hour, ${maxApiKeys === null ? "no key limit" : formatCount(maxApiKeys, "key")}`,
            })),
        ]}
      />
      <Reason name="plan_reason" problem={mine} />
      <div>
        <SubmitButton name="intent" value="plan" pendingLabel="Changing…">
          Change plan
        </SubmitButton>
      </div>
    </Act>
  );
};

const HourlyLimit = ({ account, problem }: Props) => {
  if (!planLimits[account.plan].allowsCustomHourly) return null;
  const mine = own(problem, "limit");
  const limit = account.customHourlyLimit;
  return (
    <Act
      title="Custom hourly limit"
      now={limit === null ? "None; the limit of the plan applies" : `${formatNumber(limit)} requests per hour`}
      intent="limit"
      problem={problem}
    >
      <What>Replaces the limit of the plan from the next request. Requests of this hour still count.</What>
      <TextField
        name="hourly_limit"
        label="Requests per hour"
        hint="Leave empty for the limit of the plan"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={mine?.values.hourly_limit ?? limit ?? ""}
        error={errorOf(mine?.fields, "hourly_limit")}
      />
      <div>
        <SubmitButton name="intent" value="limit" pendingLabel="Setting…">
          Set the limit
        </SubmitButton>
      </div>
    </Act>
  );
};

const Discount = ({ account, problem }: Props) => {
  const mine = own(problem, "discount");
  const { customDiscountPercent: percent, customDiscountThrough: through } = account;
  return (
    <Act
      title="Agreed discount"
      now={
        percent === null
          ? "None"
          : `${percent}% for ${customPricingInWords}${through ? `, last day ${formatDay(through)}` : ""}`
      }
      intent="discount"
      problem={problem}
    >
      <What>
        Applies to orders and renewals of {customPricingInWords}. Without an agreement, such orders need a quote, and
        their renewals take the last tier of the table, {renewalVolumeDiscount(customPricingFromRoutes).percent}%.
      </What>
      <TextField
        name="discount_percent"
        label="Percent"
        hint={`1 to ${highestAgreedPercent}. Leave empty to require a quote again.`}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={mine?.values.discount_percent ?? percent ?? ""}
        error={errorOf(mine?.fields, "discount_percent")}
      />
      <TextField
        name="discount_through"
        label="Last day of the discount"
        hint="Leave empty for no end"
        type="date"
        defaultValue={mine?.values.discount_through ?? through ?? ""}
        error={errorOf(mine?.fields, "discount_through")}
      />
      <div>
        <SubmitButton name="intent" value="discount" pendingLabel="Setting…">
          Set the discount
        </SubmitButton>
      </div>
    </Act>
  );
};

const SignOut = ({ problem }: Props) => (
  <Act title="Sign out everywhere" now="Browsers and bearer tokens" intent="sign-out" problem={problem}>
    <What>Ends all browser sessions and bearer tokens. API keys keep working.</What>
    <div>
      <SubmitButton name="intent" value="sign-out" variant="secondary" pendingLabel="Signing out…">
        Sign out everywhere
      </SubmitButton>
    </div>
  </Act>
);

const RemoveTwoFactor = ({ since, problem }: Props & { since: string }) => (
  <Act title="Turn off two-factor sign-in" now={`On since ${formatDay(since)}`} intent="two-factor" problem={problem}>
    <What>
      For account holders who have lost their devices and their recovery codes. Verify their identity first: from then
      on the password alone signs in. The authenticator app and all passkeys are removed. Every browser and bearer token
      is signed out; API keys go on working. The holder gets a mail.
    </What>
    <Reason name="two_factor_reason" problem={own(problem, "two-factor")} />
    <div>
      <SubmitButton name="intent" value="two-factor" variant="danger" pendingLabel="Turning off…">
        Turn off two-factor sign-in
      </SubmitButton>
    </div>
  </Act>
);

const Suspend = ({ problem }: Props) => (
  <Act title="Suspend" now="In good standing" intent="suspend" problem={problem}>
    <What>
      All data is closed to the account, in the portal and by API (403), and nothing is renewed or bought. It can still
      sign in, cancel, and read its invoices. The account holder gets an e-mail.
    </What>
    <Reason name="standing_reason" problem={own(problem, "suspend")} />
    <div>
      <SubmitButton name="intent" value="suspend" variant="danger" pendingLabel="Suspending…">
        Suspend account
      </SubmitButton>
    </div>
  </Act>
);

const Reinstate = ({ problem }: Props) => (
  <Act title="Reinstate" now="Suspended" intent="reinstate" problem={problem}>
    <What>
      Restores access to the data of active subscriptions, which renew as before. The account holder gets an e-mail.
    </What>
    <Reason name="standing_reason" problem={own(problem, "reinstate")} />
    <div>
      <SubmitButton name="intent" value="reinstate" pendingLabel="Reinstating…">
        Reinstate account
      </SubmitButton>
    </div>
  </Act>
);
