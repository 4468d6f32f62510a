import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { planPriceForm, planPriceWithdrawal } from "#app/domain/operations/plan-price-form.ts";
import { planTermsInWords } from "#app/domain/paid-plans/paid-plan.ts";
import { soldPlans } from "#app/domain/paid-plans/policy.ts";
import { planPriceHistory, planPrices, setPlanPrice } from "#app/domain/paid-plans/prices.server.ts";
import { Card } from "#app/portal/components/card.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { type Column, Table } from "#app/portal/components/table.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatInstant, formatMoney, formatWord } from "#app/portal/format.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";

export const meta: MetaFunction = () => [{ title: "Plan prices · Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const [prices, history] = await Promise.all([planPrices(ctx), planPriceHistory(ctx, caller)]);
  return {
    terms: planTermsInWords,
    plans: soldPlans.map((plan) => ({ plan, monthlyCents: prices[plan] ?? null })),
    history: history.map((change) => ({ ...change, validFrom: change.validFrom.toISOString() })),
  };
};

const here = "/operations/catalogue/plan-prices";

export const action = (args: ActionFunctionArgs) =>
  formAction({
    set: operatorForm(planPriceForm, async ({ ctx, caller }, { plan, monthly_price: monthlyCents }) => {
      await setPlanPrice(ctx, caller, { plan, monthlyCents });
      const message = `The ${formatWord(plan)} plan now costs ${formatMoney(monthlyCents)} per month`;
      throw await redirectWithToast(here, { message });
    }),
    withdraw: operatorForm(planPriceWithdrawal, async ({ ctx, caller }, { plan }) => {
      await setPlanPrice(ctx, caller, { plan, monthlyCents: null });
      throw await redirectWithToast(here, { message: `The price of the ${formatWord(plan)} plan is on request again` });
    }),
  })(args);

const PlanPrices = () => {
  const { terms, plans, history } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Plan prices"
        breadcrumbs={[{ label: "Catalogue", to: "/operations/catalogue" }]}
        description={`Accounts buy a plan with a price themselves, for ${terms}. A plan without one is sold on request.`}
      />
      <div className="grid items-start gap-4 md:grid-cols-2">
        {plans.map((each) => (
          <PlanPrice key={`${each.plan} ${each.monthlyCents}`} {...each} />
        ))}
      </div>
      <Card title="Price history" flush>
        <Table
          caption="Changes of plan prices, newest first"
          columns={columns}
          rows={history}
          rowKey={({ id }) => id}
          empty={<p className="px-5 py-4 text-muted text-sm">No plan has had a price yet.</p>}
          narrow
        />
      </Card>
    </div>
  );
};

export default PlanPrices;

type PriceOfPlan = { plan: string; monthlyCents: number | null };

const PlanPrice = ({ plan, monthlyCents }: PriceOfPlan) => {
  const found = useActionData<typeof action>()?.problem;
  const problem = found?.values.plan === plan ? found : null;
  return (
    <Card
      title={formatWord(plan)}
      description={monthlyCents === null ? "Price on request" : `${formatMoney(monthlyCents)} per month`}
    >
      <div className="grid gap-4">
        {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
        <Form method="post" className="grid gap-4" noValidate>
          <input type="hidden" name="plan" value={plan} />
          <TextField
            id={`${plan}-price`}
            name="monthly_price"
            label="Price per month"
            hint="US dollars before tax, such as 49.00. Applies from now; what is paid for does not change."
            inputMode="decimal"
            autoComplete="off"
            defaultValue={
              problem?.values.monthly_price ?? (monthlyCents === null ? "" : (monthlyCents / 100).toFixed(2))
            }
            error={errorOf(problem?.fields, "monthly_price")}
          />
          <div>
            <SubmitButton
              name="intent"
              value="set"
              pendingLabel="Saving…"
              aria-label={`Set price of ${formatWord(plan)}`}
            >
              Set price
            </SubmitButton>
          </div>
        </Form>
        {monthlyCents === null ? null : (
          <Form method="post">
            <input type="hidden" name="plan" value={plan} />
            <SubmitButton
              name="intent"
              value="withdraw"
              variant="secondary"
              pendingLabel="Withdrawing…"
              aria-label={`Withdraw price of ${formatWord(plan)}`}
            >
              Withdraw price
            </SubmitButton>
          </Form>
        )}
      </div>
    </Card>
  );
};

type Change = { id: number; plan: string; monthlyCents: number | null; validFrom: string; operator: string | null };

const columns: Column<Change>[] = [
  { key: "from", header: "Valid from", primary: true, cell: ({ validFrom }) => formatInstant(validFrom) },
  { key: "plan", header: "Plan", cell: ({ plan }) => formatWord(plan) },
  {
    key: "price",
    header: "Price per month",
    align: "end",
    cell: ({ monthlyCents }) => (monthlyCents === null ? "Withdrawn" : formatMoney(monthlyCents)),
  },
  { key: "by", header: "Set by", cell: ({ operator }) => operator ?? "Command line" },
];
