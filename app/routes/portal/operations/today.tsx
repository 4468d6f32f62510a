import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { getService } from "#app/context.server.ts";
import { chartDays, weekDays } from "#app/domain/operations/policy.ts";
import { figuresOfToday } from "#app/domain/operations/today.server.ts";
import { plans } from "#app/domain/plans/plans.ts";
import { counted } from "#app/domain/wording.ts";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { Chart } from "#app/portal/components/charts/chart.tsx";
import { requestSeries } from "#app/portal/components/charts/request-series.ts";
import { DescriptionList } from "#app/portal/components/description-list.tsx";
import { Icon } from "#app/portal/components/icon.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { Stat, Stats } from "#app/portal/components/stat.tsx";
import {
  formatBytes,
  formatCompactMoney,
  formatCount,
  formatDay,
  formatInstant,
  formatMoney,
  formatNumber,
  formatShortDay,
  formatWord,
} from "#app/portal/format.ts";
import { visitOfOperator } from "#app/portal/session.server.ts";

export const meta: MetaFunction = () => [{ title: "Operations · Shipping Route Data Service" }];

export const loader = async (args: LoaderFunctionArgs) => {
  const { ctx, caller } = await visitOfOperator(args);
  const [{ mail, ...figures }, { rateLimitFailures }] = await Promise.all([figuresOfToday(ctx, caller), getService()]);
  return {
    ...figures,
    mail: { ...mail, oldest: mail.oldest?.toISOString() ?? null },
    rateLimitFailures: rateLimitFailures(),
  };
};

const Today = () => {
  const { today } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-6">
      <PageHeader
        title="Operations"
        description={`${formatDay(today)}. Days are UTC.`}
        actions={
          <ButtonLink to="/operations/accounts" icon="search">
            Find an account
          </ButtonLink>
        }
      />
      <Business />
      <Attention />
      <div className="grid gap-6 lg:grid-cols-2">
        <Revenue />
        <Renewals />
      </div>
      <Requests />
      <Machine />
    </div>
  );
};

export default Today;

/** `7 days`, `30 days`. */
const inWeek = counted(weekDays, "day");
const inChart = counted(chartDays, "day");

type Data = ReturnType<typeof useLoaderData<typeof loader>>;

const netOf = (days: Data["revenue"]): number =>
  days.reduce((sum, { invoicedCents, creditedCents }) => sum + invoicedCents - creditedCents, 0);

const Business = () => {
  const { accounts, subscriptions, revenue, renewals } = useLoaderData<typeof loader>();
  const due = renewals.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return (
    <Stats>
      <Stat
        label="Accounts"
        value={formatNumber(accounts.total)}
        note={`${formatNumber(accounts.newToday)} new today, ${formatNumber(accounts.newThisWeek)} in ${inWeek}`}
      />
      <Stat
        label="Active subscriptions"
        value={formatNumber(subscriptions.running)}
        note={`${formatNumber(subscriptions.renewing)} renew automatically`}
      />
      <Stat
        label="Revenue today"
        value={formatMoney(netOf(revenue.slice(-1)))}
        note={`${formatMoney(netOf(revenue.slice(-weekDays)))} in ${inWeek}`}
      />
      <Stat
        label={`Renewals due in ${inWeek}`}
        value={formatMoney(due)}
        note={formatCount(
          renewals.reduce((sum, { charges }) => sum + charges, 0),
          "charge",
        )}
      />
    </Stats>
  );
};

/** Counts that need attention, each with a link to the list behind it. */
const Attention = () => {
  const { openRequests, troubles, mail, accounts, revenue } = useLoaderData<typeof loader>();
  const refunds = revenue.slice(-weekDays).reduce((sum, day) => sum + day.refunds, 0);
  const facts = [
    { term: "Open support requests", count: openRequests, to: "/operations/support?status=open" },
    { term: "Suspended accounts", count: accounts.suspended, to: "/operations/accounts?standing=suspended" },
    {
      term: `Declined charges, ${inWeek}`,
      count: troubles.declinedCharges,
      to: "/operations/audit?action=subscription.renewal_declined",
    },
    { term: `Refunds, ${inWeek}`, count: refunds, to: "/operations/audit?action=order.refunded" },
    { term: `Disputes, ${inWeek}`, count: troubles.disputes, to: "/operations/audit?action=account.suspended" },
    { term: `Failed jobs, ${inWeek}`, count: troubles.failedRuns, to: "/operations/jobs/runs?failed=yes" },
    { term: "E-mails given up", count: mail.givenUp, to: "/operations/mail?state=given_up" },
    { term: "E-mails being retried", count: mail.failing, to: "/operations/mail" },
  ];
  return (
    <Card title="Needs attention">
      <DescriptionList
        layout="grid"
        facts={facts.map(({ term, count, to }) => ({
          term,
          description: (
            <Link
              to={to}
              className={`inline-flex min-h-7 min-w-6 items-center gap-2 rounded text-lg hover:underline ${count > 0 ? "font-semibold text-danger" : "font-normal text-muted"}`}
              aria-label={`${term}: ${count}`}
            >
              {count > 0 ? <Icon name="alert-triangle" className="size-4.5" /> : null}
              {formatNumber(count)}
            </Link>
          ),
        }))}
      />
    </Card>
  );
};

const moneyByDay = {
  atRest: "total" as const,
  format: (cents: number) => formatMoney(cents),
  formatAxis: (cents: number) => formatCompactMoney(cents),
};

const Revenue = () => {
  const { revenue } = useLoaderData<typeof loader>();
  return (
    <Card title={`Revenue, the last ${inChart}`} description={`${formatMoney(netOf(revenue))}, net of credit notes.`}>
      <Chart
        model={{
          title: "Revenue by day",
          description: `${formatMoney(netOf(revenue))} in ${inChart}, net of credit notes.`,
          labels: revenue.map(({ day }) => formatShortDay(day)),
          labelHeader: "Day",
          series: [
            {
              label: "Net",
              values: revenue.map(({ invoicedCents, creditedCents }) => Math.max(0, invoicedCents - creditedCents)),
              mark: "bar",
              colour: 1,
            },
            {
              label: "Refunded",
              values: revenue.map(({ creditedCents }) => creditedCents),
              mark: "bar",
              colour: 3,
            },
          ],
          ...moneyByDay,
        }}
      />
    </Card>
  );
};

const Renewals = () => {
  const { renewals } = useLoaderData<typeof loader>();
  return (
    <Card
      title="Renewals due"
      description={`Charges in the next ${inWeek}, at the announced price or, if none, today's price.`}
      footer={
        <Link to="/operations/subscriptions?order=ends&status=expiring_soon" className="link">
          Subscriptions ending soon
        </Link>
      }
    >
      <Chart
        model={{
          title: "Renewals due by day",
          description: formatCount(
            renewals.reduce((sum, { charges }) => sum + charges, 0),
            "charge",
          ),
          labels: renewals.map(({ day }) => formatShortDay(day)),
          labelHeader: "Day",
          series: [{ label: "Amount", values: renewals.map(({ amountCents }) => amountCents), mark: "bar", colour: 1 }],
          ...moneyByDay,
        }}
      />
    </Card>
  );
};

const Requests = () => {
  const { usage } = useLoaderData<typeof loader>();
  const total = (of: "requests" | "errors" | "rateLimited") => usage.reduce((sum, day) => sum + day[of], 0);
  const now = usage.at(-1);
  return (
    <Card
      title={`API requests, the last ${inChart}`}
      description={`Today ${formatCount(now?.requests ?? 0, "request")} of ${formatCount(now?.accounts ?? 0, "account")}, ${formatCount(now?.errors ?? 0, "error")}, ${formatNumber(now?.rateLimited ?? 0)} rate-limited.`}
    >
      <Chart
        model={{
          title: "API requests by day",
          description: `${formatCount(total("requests"), "request")}, of which ${formatCount(total("errors"), "error")} and ${formatNumber(total("rateLimited"))} rate-limited.`,
          labels: usage.map(({ day }) => formatShortDay(day)),
          labelHeader: "Day",
          ...requestSeries(usage),
        }}
      />
    </Card>
  );
};

const Machine = () => {
  const { accounts, mail, rateLimitFailures, databaseBytes } = useLoaderData<typeof loader>();
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card title="Accounts by plan">
        <DescriptionList
          facts={plans.map((plan) => ({
            term: formatWord(plan),
            description: formatNumber(accounts.byPlan[plan]),
          }))}
        />
      </Card>
      <Card title="System">
        <DescriptionList
          facts={[
            {
              term: "E-mails waiting",
              description: mail.oldest
                ? `${formatNumber(mail.waiting)}, the oldest since ${formatInstant(mail.oldest)}`
                : "None",
            },
            { term: "Requests served without rate limiting", description: formatNumber(rateLimitFailures) },
            { term: "Database", description: formatBytes(databaseBytes) },
          ]}
        />
      </Card>
    </div>
  );
};
