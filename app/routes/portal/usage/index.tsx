import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { planLimits, storageInWords } from "#app/domain/plans/plans.ts";
import { budgetOf } from "#app/domain/rate-limit/policy.ts";
import { usageBreakdown } from "#app/domain/usage/breakdown.server.ts";
import { callUsage } from "#app/domain/usage/call-usage.server.ts";
import { type UsagePeriod, usagePeriods } from "#app/domain/usage/series.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { BarChart } from "#app/portal/components/charts/bar-chart.tsx";
import { EmptyState } from "#app/portal/components/empty-state.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { ProgressBar } from "#app/portal/components/progress-bar.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import { Tabs } from "#app/portal/components/tabs.tsx";
import { formatCount, formatDuration, formatNumber, formatShare, formatTime, formatWord } from "#app/portal/format.ts";
import { visitOfMember } from "#app/portal/session.server.ts";
import { type Bar, BarList } from "./bar-list.tsx";
import { axisLabel, periodInWords, pieceHeader, pieceLabel, pieceOf } from "./labels.ts";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Usage${data ? ` by ${pieceOf(data.period)}` : ""} · Shipping Route Data Service` },
];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfMember(args);
  const period = periodOf(new URL(args.request.url).searchParams.get("period"));
  const usage = await callUsage(ctx, caller, { period });
  const breakdown = await usageBreakdown(ctx, caller, usage);
  const { plan } = caller.account;
  return {
    period,
    series: usage.series.map(({ startsAt, ...point }) => ({ ...point, startsAt: startsAt.toISOString() })),
    totals: usage.totals,
    from: usage.from.toISOString(),
    quota: { ...usage.quota, resetsAt: usage.quota.resetsAt.toISOString(), burst: budgetOf(caller.account).burst },
    ...breakdown,
    plan,
    storageDays: planLimits[plan].storageDays,
  };
};

/** Defaults to days. */
const periodOf = (param: string | null): UsagePeriod => usagePeriods.find((period) => period === param) ?? "days";

const Usage = () => {
  const { period, totals, storageDays } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Usage"
        description="What your programs ask of the API, by key and by bearer token. Times are UTC."
        actions={
          <ButtonLink to="/usage/logs" icon="search">
            Request log
          </ButtonLink>
        }
      />
      <Quota />
      <Tabs
        label="Period"
        tabs={usagePeriods.map((one) => ({
          label: `By ${pieceOf(one)}`,
          to: `/usage?period=${one}`,
          current: one === period,
        }))}
      />
      {totals.requests === 0 ? (
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
            Every request with a key or a bearer token is counted here as soon as it is answered. Reading data in the
            portal is not.
          </EmptyState>
        </Card>
      ) : (
        <>
          <Figures />
          <Chart />
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <Endpoints />
            <Keys />
          </div>
        </>
      )}
      <p className="text-[0.8125rem] text-muted">
        Hourly and daily totals are kept for ever, single requests {storageInWords(storageDays)} on your plan.
      </p>
    </div>
  );
};

export default Usage;

const Quota = () => {
  const { quota, plan } = useLoaderData<typeof loader>();
  return (
    <Card
      title="This hour"
      description={`${formatWord(plan)} plan. All keys, tokens and endpoints count together, refused requests too.`}
      actions={
        <ButtonLink to="/plan" size="small">
          Plan and limits
        </ButtonLink>
      }
    >
      <ProgressBar label="Used" value={quota.limit - quota.remaining} max={quota.limit} unit="requests" />
      <p className="mt-3 text-muted text-sm leading-5.5">
        <strong className="font-medium text-ink">{formatCount(quota.remaining, "request")} left</strong> until{" "}
        <strong className="font-medium text-ink">{formatTime(quota.resetsAt)}</strong>, when the next hour begins. At
        most {formatNumber(quota.burst)} a second.
      </p>
    </Card>
  );
};

const Figures = () => {
  const { totals, durationMs, period } = useLoaderData<typeof loader>();
  const share = (count: number) => `${formatShare(count / Math.max(1, totals.requests))} of requests`;
  return (
    <section aria-label={`The ${periodInWords(period)}`}>
      <Stats>
        <Stat label="Requests" value={formatNumber(totals.requests)} note={periodInWords(period)} />
        <Stat label="Errors" value={formatNumber(totals.errors)} note={share(totals.errors)} />
        <Stat label="Rate-limited" value={formatNumber(totals.rateLimited)} note={share(totals.rateLimited)} />
        <Stat
          label="Median duration"
          value={duration(durationMs.p50)}
          note={`p50; 95% are within ${duration(durationMs.p95)} (p95)`}
        />
      </Stats>
    </section>
  );
};

const duration = (milliseconds: number | null) => (milliseconds === null ? "–" : formatDuration(milliseconds));

const Chart = () => {
  const { series, totals, period } = useLoaderData<typeof loader>();
  const answered = series.map(({ requests, errors, rateLimited }) => requests - errors - rateLimited);
  return (
    <Card title={`Requests, ${periodInWords(period)}`}>
      <BarChart
        title={`Requests, ${periodInWords(period)}`}
        description={`${formatCount(totals.requests, "request")}, of which ${formatCount(totals.errors, "error")} and ${formatNumber(totals.rateLimited)} rate-limited.`}
        labels={series.map(({ startsAt }) => pieceLabel(period, startsAt))}
        axisLabels={series.map(({ startsAt }) => axisLabel(period, startsAt))}
        labelHeader={pieceHeader[period]}
        series={[
          { label: "Answered", values: answered },
          { label: "Rate-limited", values: series.map(({ rateLimited }) => rateLimited), colour: 2 },
          { label: "Errors", values: series.map(({ errors }) => errors), colour: 3 },
        ]}
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

/** Builds links to the request log, limited to the period on this page. */
const useLogOf = () => {
  const { from } = useLoaderData<typeof loader>();
  return (filter: Record<string, string>) =>
    `/usage/logs?${new URLSearchParams({ ...filter, from: from.slice(0, 16) })}`;
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
