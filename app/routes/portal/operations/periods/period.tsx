import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { freshnesses, periodPolicies } from "#app/domain/catalogue/enums.ts";
import { maxAgeMinutes } from "#app/domain/catalogue/freshness.ts";
import { findManagedPeriod } from "#app/domain/catalogue/late-data.server.ts";
import { hasEnded } from "#app/domain/catalogue/period.ts";
import { dayOf } from "#app/domain/dates.ts";
import { closePeriod, setLanePromise, setPeriodPolicy } from "#app/domain/stock/manage-periods.server.ts";
import { closing } from "#app/domain/stock/period-forms.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { orErrorResponse } from "#app/portal/error-response.server.ts";
import { type FormProblem, formAction, operatorForm } from "#app/portal/form-action.server.ts";
import { formatDay, formatInstant, formatNumber, formatWord } from "#app/portal/format.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? `${data.period.code} · ` : ""}Periods · Operations · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const period = await orErrorResponse(findManagedPeriod(ctx, caller, { id: idOf(args.params.period_id) }));
  const today = dayOf(ctx.clock.now());
  return {
    today,
    period: {
      id: period.id,
      code: period.code,
      name: period.name,
      startsOn: period.startsOn,
      endsOn: period.endsOn,
      hasEnded: hasEnded(period, today),
      freshness: period.freshness,
      isRetired: period.retiredAt !== null,
      route: period.route,
      tradeLane: period.tradeLane,
      dataAsOf: period.dataAsOf?.toISOString() ?? null,
      nextUpdateDue: period.nextUpdateDue?.toISOString() ?? null,
      isStale: period.isStale,
    },
  };
};

const entered = z.record(z.string(), z.string());

export const action = (args: ActionFunctionArgs) =>
  formAction<{ message: string }>({
    close: operatorForm(closing, async ({ ctx, caller, params }, input) => {
      await closePeriod(ctx, caller, {
        id: idOf(params.period_id),
        endsOn: input.ends_on,
        opensNext: input.opens_next === "on",
      });
      return { message: `The period ends on ${formatDay(input.ends_on)}.` };
    }),
    policy: operatorForm(entered, async ({ ctx, caller, params }, values) => {
      const { route } = await findManagedPeriod(ctx, caller, { id: idOf(params.period_id) });
      await setPeriodPolicy(ctx, caller, { code: route.code, values });
      return { message: `The route's periods are now ${formatWord(values.policy ?? "").toLowerCase()}.` };
    }),
    lane: operatorForm(entered, async ({ ctx, caller, params }, values) => {
      const { tradeLane } = await findManagedPeriod(ctx, caller, { id: idOf(params.period_id) });
      await setLanePromise(ctx, caller, { code: tradeLane.code, values });
      return { message: "Saved the data age of the trade lane." };
    }),
  })(args);

const Period = () => {
  const { period, today } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const problem = answer?.problem ?? null;
  const wasSent = (intent: string) => (problem?.intent === intent ? problem : null);
  const close = wasSent("close");
  return (
    <div className="grid gap-6">
      <PageHeader
        breadcrumbs={[
          { label: "Periods", to: "/operations/periods" },
          { label: period.route.code, to: `/operations/periods?route=${period.route.code}` },
        ]}
        title={period.name}
        description={`${period.route.name}, ${period.code}`}
        badge={<StateBadge {...period} />}
        actions={
          <>
            <ButtonLink to={`/operations/catalogue/periods/${period.id}`}>Edit or retire</ButtonLink>
            <ButtonLink to={`/routes/${period.route.id}`}>View route</ButtonLink>
          </>
        }
      />
      {answer?.result ? (
        <Alert tone="success" live>
          {answer.result.message}
        </Alert>
      ) : null}
      {problem ? <FormError message={problem.message} /> : null}
      <Card title="Data">
        <DescriptionList
          facts={[
            { term: "Starts on", description: formatDay(period.startsOn) },
            { term: "Ends on", description: endInWords(period) },
            { term: "Freshness", description: formatWord(period.freshness) },
            { term: "Data as of", description: period.dataAsOf ? formatInstant(period.dataAsOf) : "No data yet" },
            {
              term: "Next update due",
              description: period.nextUpdateDue ? formatInstant(period.nextUpdateDue) : "None: the period has ended",
            },
          ]}
        />
      </Card>
      {period.endsOn === null ? (
        <Card
          title="Close early"
          description="Subscriptions continue with the next period. If there is none, they keep access to this one until they end."
        >
          <Form method="post" preventScrollReset noValidate className="grid max-w-md gap-4">
            <TextField
              name="ends_on"
              label="First day without data"
              type="date"
              min={today}
              defaultValue={close?.values.ends_on ?? ""}
              error={errorOf(close?.fields, "ends_on")}
            />
            <CheckboxField
              name="opens_next"
              label="Open the next period on that day"
              defaultChecked={close === null || close.values.opens_next === "on"}
            />
            <div>
              <SubmitButton name="intent" value="close" pendingLabel="Closing…">
                Close the period
              </SubmitButton>
            </div>
          </Form>
        </Card>
      ) : null}
      <Card
        title="The route's periods"
        description="Quarterly periods end with their quarter, and the next one opens automatically. Open-ended periods last until you close them."
      >
        <Form method="post" preventScrollReset className="grid max-w-md gap-4">
          <SelectField
            name="policy"
            label="Policy"
            defaultValue={period.route.policy}
            error={errorOf(wasSent("policy")?.fields, "policy")}
            options={periodPolicies.map((value) => ({ value, label: formatWord(value) }))}
          />
          <div>
            <SubmitButton name="intent" value="policy" pendingLabel="Saving…">
              Save the policy
            </SubmitButton>
          </div>
        </Form>
      </Card>
      <LaneCard lane={period.tradeLane} problem={wasSent("lane")} />
    </div>
  );
};

export default Period;

const laneFields = [
  { name: "real_time_minutes", key: "realTimeMinutes", freshness: "real_time" },
  { name: "daily_minutes", key: "dailyMinutes", freshness: "daily" },
  { name: "weekly_minutes", key: "weeklyMinutes", freshness: "weekly" },
] as const;

const LaneCard = ({ lane, problem }: { lane: Loaded["tradeLane"]; problem: FormProblem | null }) => (
  <Card
    title={`Trade lane ${lane.name}`}
    description="Maximum age of data on all routes of the lane, and the freshness of periods that open automatically."
  >
    <Form method="post" preventScrollReset noValidate className="grid max-w-md gap-4">
      {laneFields.map(({ name, key, freshness }) => (
        <TextField
          key={name}
          name={name}
          label={`Maximum age of ${formatWord(freshness).toLowerCase()} data, minutes`}
          hint={`Leave empty for ${formatNumber(maxAgeMinutes[freshness])}`}
          inputMode="numeric"
          defaultValue={problem?.values[name] ?? lane[key] ?? ""}
          error={errorOf(problem?.fields, name)}
        />
      ))}
      <SelectField
        name="period_freshness"
        label="New periods"
        defaultValue={problem?.values.period_freshness ?? lane.periodFreshness ?? ""}
        error={errorOf(problem?.fields, "period_freshness")}
        options={[
          { value: "", label: "Same as the previous period" },
          ...freshnesses.map((value) => ({ value, label: formatWord(value) })),
        ]}
      />
      <div>
        <SubmitButton name="intent" value="lane" pendingLabel="Saving…">
          Save for lane
        </SubmitButton>
      </div>
    </Form>
  </Card>
);

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>["period"];

const endInWords = ({ endsOn, route }: Loaded): string => {
  if (endsOn !== null) return formatDay(endsOn);
  return route.policy === "quarterly" ? "With its quarter" : "Open-ended";
};

const StateBadge = ({ hasEnded, isStale, isRetired }: Loaded) => {
  if (hasEnded) return <Badge>Ended</Badge>;
  if (isRetired) return <Badge tone="warning">Retired</Badge>;
  return isStale ? (
    <Badge tone="danger" dot>
      Late
    </Badge>
  ) : (
    <Badge tone="success">On sale</Badge>
  );
};
