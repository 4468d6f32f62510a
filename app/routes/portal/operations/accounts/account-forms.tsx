import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Standing } from "#app/domain/accounts/caller.ts";
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
    standing: Standing;
    isClosed: boolean;
    twoFactor: { since: string } | null;
    customHourlyLimit: number | null;
    customDiscountPercent: number | null;
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
      <Card title="Actions" description="Its holder has closed this account: nothing about it is changed any more." />
    );
  }
  return (
    <Card title="Actions" description="Each takes effect with the account's next request, and stands in its log." flush>
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
    hint="The holder reads it, in the mail and in the account's log."
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
      title="Change the plan"
      now={`${formatWord(account.plan)} now`}
      intent="plan"
      problem={problem}
      isOpen={wish !== null}
    >
      <What>
        Limits, number of keys and how long requests are kept change at once; the holder gets a mail. A plan that allows
        fewer keys than there are is refused.
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
          Change the plan
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
      now={limit === null ? "None; the plan's holds" : `${formatNumber(limit)} requests an hour`}
      intent="limit"
      problem={problem}
    >
      <What>Takes the place of the plan's limit from the next request on; the hour's count goes on.</What>
      <TextField
        name="hourly_limit"
        label="Requests an hour"
        hint="Empty: the plan's limit."
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
  const percent = account.customDiscountPercent;
  return (
    <Act
      title="Agreed discount"
      now={percent === null ? "None agreed" : `${percent}% for ${customPricingInWords}`}
      intent="discount"
      problem={problem}
    >
      <What>
        Opens orders of {customPricingInWords}, at this volume discount. Their renewals take the last tier of the table,{" "}
        {renewalVolumeDiscount(customPricingFromRoutes).percent}%.
      </What>
      <TextField
        name="discount_percent"
        label="Percent"
        hint={`1 to ${highestAgreedPercent}. Empty: such orders are for sales again.`}
        inputMode="numeric"
        autoComplete="off"
        defaultValue={mine?.values.discount_percent ?? percent ?? ""}
        error={errorOf(mine?.fields, "discount_percent")}
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
    <What>Every browser and bearer token has to sign in again. API keys go on working.</What>
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
      For a holder who has lost both phone and recovery codes. Make sure first that it is the holder who asks: from then
      on the password alone signs in. Every browser and bearer token is signed out; API keys go on working. The holder
      gets a mail.
    </What>
    <Reason name="two_factor_reason" problem={own(problem, "two-factor")} />
    <div>
      <SubmitButton name="intent" value="two-factor" variant="danger" pendingLabel="Turning off…">
        Turn two-factor sign-in off
      </SubmitButton>
    </div>
  </Act>
);

const Suspend = ({ problem }: Props) => (
  <Act title="Suspend" now="In good standing" intent="suspend" problem={problem}>
    <What>
      All data is closed to the account, in the portal and by API (403), and nothing is renewed or bought. It can still
      sign in, cancel, and read its invoices. The holder gets a mail.
    </What>
    <Reason name="standing_reason" problem={own(problem, "suspend")} />
    <div>
      <SubmitButton name="intent" value="suspend" variant="danger" pendingLabel="Suspending…">
        Suspend the account
      </SubmitButton>
    </div>
  </Act>
);

const Reinstate = ({ problem }: Props) => (
  <Act title="Reinstate" now="Suspended" intent="reinstate" problem={problem}>
    <What>The data of its running subscriptions is open again, and they renew as before. The holder gets a mail.</What>
    <Reason name="standing_reason" problem={own(problem, "reinstate")} />
    <div>
      <SubmitButton name="intent" value="reinstate" pendingLabel="Reinstating…">
        Reinstate the account
      </SubmitButton>
    </div>
  </Act>
);
