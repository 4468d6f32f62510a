import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useLoaderData, useSearchParams } from "@remix-run/react";
import { z } from "zod";
import type { Caller } from "#app/domain/accounts/caller.ts";
import { setQuotaAlertsByMail, wantsQuotaAlerts } from "#app/domain/accounts/quota-alerts.server.ts";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { planLimits, storageInWords } from "#app/domain/plans/plans.ts";
import { budgetOf, quotaAlertAt } from "#app/domain/rate-limit/policy.ts";
import { recentlyUsed, usageBreakdown } from "#app/domain/usage/breakdown.server.ts";
import { callUsage, type UsageRequest } from "#app/domain/usage/call-usage.server.ts";
import { busyHours } from "#app/domain/usage/plan-usage.server.ts";
import { busyHourDays } from "#app/domain/usage/policy.ts";
import { usagePeriods } from "#app/domain/usage/series.ts";
import { Alert } from "#app/portal/components/alert.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { Button, ButtonLink, Link } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Chart } from "#app/portal/components/charts/chart.tsx";
import { requestSeries } from "#app/portal/components/charts/request-series.ts";
import { CheckboxField } from "#app/portal/components/checkbox-field.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { errorOf } from "#app/portal/components/field-errors.ts";
import { FormError } from "#app/portal/components/form-error.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { ProgressBar } from "#app/portal/components/progress-bar.tsx";
import { SelectField } from "#app/portal/components/select-field.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { SubmitButton } from "#app/portal/components/submit-button.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { TextField } from "#app/portal/components/text-field.tsx";
import { formAction, memberForm } from "#app/portal/form-action.server.ts";
import {
  formatCount,
  formatDay,
  formatDuration,
  formatInstant,
  formatNumber,
  formatShare,
  formatTime,
  formatWord,
} from "#app/portal/format.ts";
import { nonEmptyParams } from "#app/portal/search-params.server.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { redirectWithToast } from "#app/portal/toast.server.ts";
import { type Bar, BarList } from "./bar-list.tsx";
import { choicesOf } from "./choices.ts";
import { axisLabel, periodInWords, pieceHeader, pieceLabel, pieceOf } from "./labels.ts";
import { readUsageQuery } from "./usage-query.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Usage${data ? ` by ${pieceOf(data.period)}` : ""} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const [{ usage, breakdown, problem }, choices, byMail, busy] = await Promise.all([
    readUsage(ctx, caller, nonEmptyParams(new URL(args.request.url).searchParams)),
    recentlyUsed(ctx, caller),
    wantsQuotaAlerts(ctx, caller),
    busyHours(ctx, caller),
  ]);
  const { plan } = caller.account;
  return {
    problem,
    period: usage.period,
    series: usage.series.map(({ startsAt, ...point }) => ({ ...point, startsAt: startsAt.toISOString() })),
    totals: usage.totals,
    from: usage.from.toISOString(),
    to: usage.to.toISOString(),
    /** Whether the visitor has chosen the range. */
    isOwnRange: problem === null && new URL(args.request.url).searchParams.has("from"),
    quota: { ...usage.quota, resetsAt: usage.quota.resetsAt.toISOString(), burst: budgetOf(caller.account).burst },
    ...breakdown,
    choices: { keys: choices.keys, routes: choices.routes },
    alerts: { byMail, busyHours: busy.map(({ hour, ...rest }) => ({ ...rest, hour: hour.toISOString() })) },
    plan,
    storageDays: planLimits[plan].storageDays,
  };
};

/** With invalid filters, the usual range and what is wrong. */
const readUsage = async (ctx: Context, caller: Caller, params: Record<string, string>) => {
  try {
    return { ...(await usageOf(ctx, caller, readUsageQuery(params))), problem: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, fields } = error;
    return { ...(await usageOf(ctx, caller, { period: "days" })), problem: { message, fields } };
  }
};

const usageOf = async (ctx: Context, caller: Caller, request: UsageRequest) => {
  const [usage, breakdown] = await Promise.all([callUsage(ctx, caller, request), usageBreakdown(ctx, caller, request)]);
  return { usage, breakdown };
};

export const action = (args: ActionFunctionArgs) =>
  formAction({
    alerts: memberForm(z.object({ by_mail: z.literal("on").optional() }), async ({ ctx, caller }, input) => {
      const byMail = input.by_mail === "on";
      await setQuotaAlertsByMail(ctx, caller, { byMail });
      throw await redirectWithToast("/usage", {
        message: byMail ? "We send you quota alerts by e-mail." : "We send you no quota alerts by e-mail.",
      });
    }),
  })(args);

const Usage = () => {
  const { period, totals, storageDays, problem } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const filters = filterOf(search);
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Usage"
        description="Your programs' requests to the API, by key, route and endpoint. Times are UTC."
        actions={
          <>
            <ButtonLink to={`/usage.csv?${search}`} icon="download" reloadDocument prefetch="none">
              Download CSV
            </ButtonLink>
            <ButtonLink to="/usage/logs" icon="search">
              Request log
            </ButtonLink>
          </>
        }
      />
      <Quota />
      <Tabs
        label="Period"
        tabs={usagePeriods.map((one) => ({
          label: `By ${pieceOf(one)}`,
          to: `/usage?${new URLSearchParams({ ...filters, period: one })}`,
          current: one === period,
        }))}
      />
      {problem ? <FormError message={problem.message} fields={problem.fields} /> : null}
      <Filters key={search.toString()} />
      {totals.requests === 0 && Object.keys(filters).length > 0 ? (
        <Card>
          <EmptyState
            icon="search"
            title="No requests match"
            action={<ButtonLink to="/usage">Clear filters</ButtonLink>}
          >
            Try a longer time range, or another key or route.
          </EmptyState>
        </Card>
      ) : totals.requests === 0 ? (
        <Card>
          <EmptyState
            icon="chart"
            title={`No requests in the ${periodInWords(period)}`}
            action={
              <>
                <ButtonLink to="/api-keys" variant="primary" icon="key">
                  Create an API key
                </ButtonLink>
                <ButtonLink to="/docs" icon="book">
                  Read the documentation
                </ButtonLink>
              </>
            }
          >
            Each request with a key or a bearer token is counted here as soon as we respond. Reading data in the portal
            does not count.
          </EmptyState>
        </Card>
      ) : (
        <>
          <Figures />
          <RequestChart />
          <div className="grid items-start gap-6 lg:grid-cols-3">
            <Keys />
            <Routes />
            <Endpoints />
          </div>
        </>
      )}
      <QuotaAlerts />
      <p className="text-[0.8125rem] text-muted">
        We keep hourly and daily totals for ever, and single requests {storageInWords(storageDays)} on your plan.
      </p>
    </div>
  );
};

export default Usage;

/** The filters of the page without the period. */
const filterOf = (search: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...search].filter(([name, value]) => name !== "period" && value !== ""));

const Filters = () => {
  const { choices, problem, period } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const field = (name: string) => ({
    name,
    defaultValue: search.get(name) ?? "",
    error: errorOf(problem?.fields, name),
  });
  return (
    <Form
      method="get"
      role="search"
      aria-label="Usage"
      className="grid grid-cols-2 items-start gap-4 rounded-xl border border-line bg-surface p-4 shadow-card sm:p-5 lg:grid-cols-4"
    >
      <input type="hidden" name="period" value={period} />
      <div className="max-sm:col-span-2">
        <TextField label="From (UTC)" {...field("from")} type="date" />
      </div>
      <div className="max-sm:col-span-2">
        <TextField label="Before (UTC)" {...field("to")} type="date" />
      </div>
      <SelectField
        label="Key"
        {...field("api_key_id")}
        options={choicesOf(
          "All keys and tokens",
          choices.keys.map(({ id, name }) => ({ value: String(id), label: name })),
          search.get("api_key_id"),
        )}
      />
      <SelectField
        label="Route"
        {...field("route_id")}
        options={choicesOf(
          "All routes",
          choices.routes.map(({ id, code }) => ({ value: String(id), label: code })),
          search.get("route_id"),
        )}
      />
      <div className="col-span-full flex flex-wrap items-center gap-4">
        <Button type="submit" icon="filter">
          Apply filters
        </Button>
        {Object.keys(filterOf(search)).length > 0 ? (
          <Link to={`/usage?period=${period}`} className="link text-sm">
            Clear filters
          </Link>
        ) : null}
      </div>
    </Form>
  );
};

const Quota = () => {
  const { quota } = useLoaderData<typeof loader>();
  const used = quota.limit - quota.remaining;
  return (
    <>
      {used >= quotaAlertAt(quota.limit) ? (
        <Alert
          tone={quota.remaining === 0 ? "danger" : "warning"}
          title={
            quota.remaining === 0
              ? "You have used all requests of this hour"
              : `You have used ${formatShare(used / quota.limit)} of this hour's requests`
          }
        >
          {quota.remaining === 0
            ? `Further requests get a 429 until ${formatTime(quota.resetsAt)} UTC.`
            : `The count starts again at ${formatTime(quota.resetsAt)} UTC.`}{" "}
          <Link to="/plans" className="link">
            Compare plans
          </Link>
        </Alert>
      ) : null}
      <HourlyLimit />
    </>
  );
};

const HourlyLimit = () => {
  const { quota, plan } = useLoaderData<typeof loader>();
  return (
    <Card
      title="This hour"
      description={`${formatWord(plan)} plan. All keys, tokens and endpoints share this limit. Requests that fail count, too.`}
      actions={
        <ButtonLink to="/plan" size="small">
          Plan and limits
        </ButtonLink>
      }
    >
      <ProgressBar label="Used" value={quota.limit - quota.remaining} max={quota.limit} unit="requests" />
      <p className="mt-3 text-muted text-sm leading-5.5">
        <strong className="font-medium text-ink">{formatCount(quota.remaining, "request")} left</strong> until{" "}
        <strong className="font-medium text-ink">{formatTime(quota.resetsAt)}</strong>, when the count starts again. You
        can send up to {formatNumber(quota.burst)} requests a second.
      </p>
    </Card>
  );
};

const Figures = () => {
  const { totals, durationMs } = useLoaderData<typeof loader>();
  const range = useRangeInWords();
  const share = (count: number) => `${formatShare(count / Math.max(1, totals.requests))} of requests`;
  return (
    <section aria-label={`Totals, ${range}`}>
      <Stats>
        <Stat label="Requests" value={formatNumber(totals.requests)} note={range} />
        <Stat label="Errors" value={formatNumber(totals.errors)} note={share(totals.errors)} />
        <Stat label="Rate-limited" value={formatNumber(totals.rateLimited)} note={share(totals.rateLimited)} />
        <Stat
          label="Median duration"
          value={duration(durationMs.p50)}
          note={`p50; p95 is ${duration(durationMs.p95)}`}
        />
      </Stats>
    </section>
  );
};

/** `last 30 days`, or the range that was chosen. */
const useRangeInWords = (): string => {
  const { period, from, to, isOwnRange } = useLoaderData<typeof loader>();
  if (!isOwnRange) return periodInWords(period);
  return `${formatDay(from)} to ${formatDay(new Date(Date.parse(to) - 1))}`;
};

const duration = (milliseconds: number | null) => (milliseconds === null ? "–" : formatDuration(milliseconds));

const RequestChart = () => {
  const { series, totals, period } = useLoaderData<typeof loader>();
  const range = useRangeInWords();
  return (
    <Card title={`Requests, ${range}`}>
      <Chart
        model={{
          title: `Requests, ${range}`,
          description: `${formatCount(totals.requests, "request")}, of which ${formatCount(totals.errors, "error")} and ${formatNumber(totals.rateLimited)} rate-limited.`,
          labels: series.map(({ startsAt }) => pieceLabel(period, startsAt)),
          shortLabels: series.map(({ startsAt }) => axisLabel(period, startsAt)),
          labelHeader: pieceHeader[period],
          ...requestSeries(series),
        }}
      />
    </Card>
  );
};

const Endpoints = () => {
  const { endpoints, totals } = useLoaderData<typeof loader>();
  const logOf = useLogOf();
  return (
    <Card title="By endpoint">
      <Bars
        bars={endpoints.map((row) => ({
          key: row.endpoint,
          label: row.endpoint,
          value: row.requests,
          note: failuresInWords(row),
          to: logOf({ endpoint: row.endpoint }),
        }))}
        total={totals.requests}
      />
    </Card>
  );
};

const Keys = () => {
  const { keys, totals } = useLoaderData<typeof loader>();
  const logOf = useLogOf();
  return (
    <Card title="By key">
      <Bars
        bars={keys.map((row) => ({
          key: row.id ?? 0,
          label: row.name ?? "Bearer tokens",
          value: row.requests,
          note: failuresInWords(row),
          to: row.id === null ? undefined : logOf({ api_key_id: String(row.id) }),
        }))}
        total={totals.requests}
      />
    </Card>
  );
};

const Routes = () => {
  const { routes, totals } = useLoaderData<typeof loader>();
  const logOf = useLogOf();
  return (
    <Card title="By route">
      {routes.length === 0 ? (
        <p className="text-muted text-sm">None of these requests was about a route.</p>
      ) : (
        <Bars
          bars={routes.map((row) => ({
            key: row.id,
            label: row.code,
            value: row.requests,
            note: [row.name, failuresInWords(row)].filter((part) => part !== undefined).join(", "),
            to: logOf({ route_id: String(row.id) }),
          }))}
          total={totals.requests}
        />
      )}
    </Card>
  );
};

/** Builds links to the request log, limited to the range and the filters of this page. */
const useLogOf = () => {
  const { from, to, isOwnRange } = useLoaderData<typeof loader>();
  const [search] = useSearchParams();
  const { api_key_id, route_id } = filterOf(search);
  return (filter: Record<string, string>) =>
    `/usage/logs?${new URLSearchParams({
      ...(api_key_id ? { api_key_id } : {}),
      ...(route_id ? { route_id } : {}),
      ...filter,
      from: from.slice(0, 16),
      ...(isOwnRange ? { to: to.slice(0, 16) } : {}),
    })}`;
};

const QuotaAlerts = () => {
  const { alerts } = useLoaderData<typeof loader>();
  return (
    <Card
      title="Quota alerts"
      description="Alerts at 80% and at 100% of the hourly limit, at most once an hour each. Webhooks have them, too."
      actions={
        <ButtonLink to="/account/webhooks" size="small">
          Webhooks
        </ButtonLink>
      }
    >
      <div className="grid gap-5">
        <Form method="post" className="flex flex-wrap items-center gap-4" key={String(alerts.byMail)}>
          <CheckboxField name="by_mail" label="Send me alerts by e-mail" defaultChecked={alerts.byMail} />
          <SubmitButton name="intent" value="alerts" variant="secondary" size="small" pendingLabel="Saving…">
            Save
          </SubmitButton>
        </Form>
        <div className="text-sm">
          <h3 className="font-medium text-ink">Hours above 80%, last {busyHourDays} days</h3>
          {alerts.busyHours.length === 0 ? (
            <p className="mt-1 text-muted">None. Your requests stayed well within your limit.</p>
          ) : (
            <ul className="mt-2 grid gap-1.5">
              {alerts.busyHours.map(({ hour, requests, percent }) => (
                <li key={hour} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Badge tone={percent === 100 ? "danger" : "warning"}>{`${percent}%`}</Badge>
                  <Link to={`/usage/logs?from=${hour.slice(0, 16)}`} className="link">
                    {formatInstant(hour)}
                  </Link>
                  <span className="text-muted">{formatCount(requests, "request")}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Card>
  );
};

const failuresInWords = ({ errors, rateLimited }: { errors: number; rateLimited: number }): string | undefined =>
  [errors > 0 ? formatCount(errors, "error") : "", rateLimited > 0 ? `${formatNumber(rateLimited)} rate-limited` : ""]
    .filter((part) => part !== "")
    .join(", ") || undefined;

const maxBars = 6;

const Bars = ({ bars, total }: { bars: readonly Bar[]; total: number }) => (
  <>
    <BarList bars={bars.slice(0, maxBars)} total={total} />
    {bars.length > maxBars ? (
      <details className="mt-4">
        <summary className="inline-flex min-h-6 items-center rounded font-medium text-[0.8125rem] text-muted hover:text-ink">
          {formatNumber(bars.length - maxBars)} more
        </summary>
        <div className="mt-4">
          <BarList bars={bars.slice(maxBars)} total={total} />
        </div>
      </details>
    ) : null}
  </>
);
