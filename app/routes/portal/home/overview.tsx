import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { addDays } from "#app/domain/dates.ts";
import { expirationOutlookDays } from "#app/domain/subscriptions/policy.ts";
import { recentDays } from "#app/domain/usage/policy.ts";
import { changeInWords } from "#app/portal/change-words.ts";
import { AlertList } from "#app/portal/components/alert-list.tsx";
import { Badge } from "#app/portal/components/badge.tsx";
import { ButtonLink } from "#app/portal/components/button.tsx";
import { Card } from "#app/portal/components/card.tsx";
import { PageHeader } from "#app/portal/components/page-header.tsx";
import { PairSearch } from "#app/portal/components/pair-search.tsx";
import { PayNow } from "#app/portal/components/past-due-alert.tsx";
import { ProgressBar } from "#app/portal/components/progress-bar.tsx";
import { StatusBadge } from "#app/portal/components/status-badge.tsx";
import {
  formatAgo,
  formatCount,
  formatDay,
  formatInstant,
  formatMoney,
  formatNumber,
  formatOffset,
  formatPortTime,
  formatShortDay,
  formatTime,
} from "#app/portal/format.ts";
import { GetStarted } from "./get-started.tsx";
import type { OverviewData } from "./overview.server.ts";

/** The home page of an account: at most six cards, each with a link to the page that has the rest. */
export const Overview = ({
  now,
  isSuspended,
  getStarted,
  renewals,
  changes,
  departures,
  spend,
  usage,
  watchlist,
}: OverviewData) => (
  <div className="grid gap-6">
    <PageHeader
      title="Home"
      description={`As of ${formatInstant(now)}`}
      actions={
        <ButtonLink to="/routes" icon="route">
          Browse all routes
        </ButtonLink>
      }
    />
    <PairSearch />
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1.7fr)_minmax(0,1fr)]">
      <div className="grid min-w-0 gap-6">
        {renewals ? (
          <>
            <Renewals renewals={renewals} />
            <Changes changes={changes ?? []} now={now} isSuspended={isSuspended} />
            <Departures departures={departures ?? []} isSuspended={isSuspended} />
          </>
        ) : getStarted ? (
          <GetStarted {...getStarted} />
        ) : null}
      </div>
      <div className="grid min-w-0 gap-6">
        {renewals && getStarted ? <GetStarted {...getStarted} /> : null}
        <Watchlist {...watchlist} />
        {usage ? <Usage {...usage} /> : null}
        {spend ? <Spend spend={spend} /> : null}
      </div>
    </div>
  </div>
);

const CardLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} prefetch="intent" className="link inline-flex min-h-6 items-center text-sm">
    {children}
  </Link>
);

/** Says what would be in a card. */
const Nothing = ({ children }: { children: ReactNode }) => <p className="px-5 py-4 text-muted text-sm">{children}</p>;

const Rows = ({ children }: { children: ReactNode }) => <ul className="divide-y divide-line">{children}</ul>;

type RowProps = { to: string; title: string; badge?: ReactNode; detail: ReactNode; end: ReactNode };

/** Words on the left, figures on the right. A button that is too wide for a phone goes below. */
const Row = ({ to, title, badge, detail, end }: RowProps) => (
  <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 py-3 text-sm">
    <div className="min-w-0 flex-1 basis-44">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link to={to} prefetch="intent" className="font-semibold hover:text-accent hover:underline">
          {title}
        </Link>
        {badge}
      </p>
      <p className="wrap-anywhere mt-0.5 text-muted leading-5.5">{detail}</p>
    </div>
    <div className="ml-auto shrink-0 text-right leading-5.5 tabular-nums">{end}</div>
  </li>
);

const Renewals = ({ renewals: { pastDue, ending } }: { renewals: NonNullable<OverviewData["renewals"]> }) => (
  <Card title="Renewals" actions={<CardLink to="/subscriptions">All subscriptions</CardLink>} flush>
    {pastDue.length + ending.length === 0 ? (
      <Nothing>
        No renewals are past due, and no subscriptions end in the next {expirationOutlookDays.default} days.
      </Nothing>
    ) : (
      <Rows>
        {pastDue.map((renewal) => (
          <Row
            key={renewal.subscriptionId}
            to={`/subscriptions/${renewal.subscriptionId}`}
            title={renewal.routeName}
            badge={
              <Badge tone="danger" dot>
                {renewal.needsAuthentication ? "Action required" : "Past due"}
              </Badge>
            }
            detail={`Access ends on ${formatDay(renewal.endDate)}, 00:00 UTC, unless you pay the renewal.`}
            end={<PayNow renewal={renewal} size="small" />}
          />
        ))}
        {ending.map(({ id, routeName, status, endDate, daysLeft, nextCharge, needsCard }) => (
          <Row
            key={id}
            to={`/subscriptions/${id}`}
            title={routeName}
            badge={status === "active" ? null : <StatusBadge status={status} />}
            detail={
              nextCharge
                ? `Renews on ${formatDay(nextCharge.date)}.`
                : `Last day ${formatDay(addDays(endDate, -1))}. ${needsCard ? "Needs a card to renew." : "Does not renew."}`
            }
            end={
              nextCharge ? (
                formatMoney(nextCharge.amountCents)
              ) : (
                <span className="text-muted">{formatCount(daysLeft, "day")} left</span>
              )
            }
          />
        ))}
      </Rows>
    )}
  </Card>
);

const suspended = "You cannot see route data while your account is suspended.";

type ChangesProps = { changes: NonNullable<OverviewData["changes"]>; now: string; isSuspended: boolean };

const Changes = ({ changes, now, isSuspended }: ChangesProps) => (
  <Card
    title="Changes on your routes"
    description="Latest change on each route you subscribe to"
    actions={<CardLink to="/market">Compare with market</CardLink>}
    flush
  >
    {changes.length === 0 ? (
      <Nothing>
        {isSuspended
          ? suspended
          : "No recent changes to rates, surcharges, space available or schedules on your routes."}
      </Nothing>
    ) : (
      <Rows>
        {changes.map((change) => {
          const { what, figures, difference } = changeInWords(change);
          return (
            <Row
              key={change.id}
              to={`/routes/${change.route.id}`}
              title={change.route.name}
              detail={`${what}: ${figures}`}
              end={
                <>
                  {difference ? <span className="block font-medium">{difference}</span> : null}
                  <time dateTime={change.occurredAt} title={formatInstant(change.occurredAt)} className="text-muted">
                    {formatAgo(change.occurredAt, now)}
                  </time>
                </>
              }
            />
          );
        })}
      </Rows>
    )}
  </Card>
);

type DeparturesProps = { departures: NonNullable<OverviewData["departures"]>; isSuspended: boolean };

const Departures = ({ departures, isSuspended }: DeparturesProps) => (
  <Card
    title="Next departures"
    description="Local time at the port of loading"
    actions={<CardLink to="/schedule">All departures</CardLink>}
    flush
  >
    {departures.length === 0 ? (
      <Nothing>
        {isSuspended ? suspended : "No departures have been published yet for the routes you subscribe to."}
      </Nothing>
    ) : (
      <Rows>
        {departures.map(({ id, route, legs, via, voyage, isCancelled, etd, cutOffs }) => {
          const cargo = cutOffs.find(({ kind }) => kind === "cargo");
          return (
            <Row
              key={id}
              to={`/routes/${route.id}/schedule`}
              title={route.name}
              badge={isCancelled ? <Badge>Cancelled</Badge> : null}
              detail={[
                [legs[0]?.vessel, voyage].filter(Boolean).join(", "),
                ...(via.length > 0 ? [`via ${via.join(", ")}`] : []),
                ...(cargo ? [`cargo cut-off ${formatPortTime(cargo.at.local)}`] : []),
              ].join("; ")}
              end={
                <time dateTime={`${etd.local}${etd.offset}`}>
                  <span className="block font-medium">{formatShortDay(`${etd.local}Z`)}</span>
                  <span className="text-muted">
                    {formatTime(`${etd.local}Z`)} ({formatOffset(etd.offset)})
                  </span>
                </time>
              }
            />
          );
        })}
      </Rows>
    )}
  </Card>
);

const Watchlist = ({ unread, alerts }: OverviewData["watchlist"]) => (
  <Card
    title={unread > 0 ? `Watchlist, ${formatCount(unread, "new alert")}` : "Watchlist"}
    actions={<CardLink to="/watchlist">View watchlist</CardLink>}
    flush
  >
    {alerts.length === 0 ? (
      <Nothing>No alerts yet. Watch a route to be alerted about rates, space available and schedules.</Nothing>
    ) : (
      <AlertList alerts={alerts} />
    )}
  </Card>
);

const Usage = ({ totals, quota }: NonNullable<OverviewData["usage"]>) => (
  <Card title="API requests" actions={<CardLink to="/usage">Usage</CardLink>}>
    <div className="grid gap-4">
      <ProgressBar label="This hour" value={quota.limit - quota.remaining} max={quota.limit} />
      <Figures
        figures={[
          [`Last ${recentDays} days`, formatNumber(totals.requests)],
          ["Errors", formatNumber(totals.errors)],
          ["Rate-limited", formatNumber(totals.rateLimited)],
        ]}
      />
    </div>
  </Card>
);

const Spend = ({ spend }: { spend: NonNullable<OverviewData["spend"]> }) => (
  <Card title="Spend" actions={<CardLink to="/billing">Billing</CardLink>}>
    <Figures
      figures={[
        [`Last ${recentDays} days`, formatMoney(spend.recentCents, spend.currency)],
        ["Total, after refunds", formatMoney(spend.totalCents, spend.currency)],
      ]}
    />
  </Card>
);

const Figures = ({ figures }: { figures: readonly (readonly [label: string, value: string])[] }) => (
  <dl className="grid gap-2 text-sm">
    {figures.map(([label, value]) => (
      <div key={label} className="flex justify-between gap-4">
        <dt className="text-muted">{label}</dt>
        <dd className="font-medium tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
);
