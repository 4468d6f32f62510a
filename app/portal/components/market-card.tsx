import type { ReactNode } from "react";
import { fewestCarriers, fewestRoutes, freeDelayWeeks } from "#app/domain/benchmarks/policy.ts";
import type { ChosenBenchmark } from "../benchmark-view.ts";
import { formatBasis, formatChange, formatCount, formatDay, formatMoney, formatNumber } from "../format.ts";
import { Badge } from "./badge.tsx";
import { Card } from "./card.tsx";
import { Tabs } from "./tabs.tsx";
import { Term } from "./term.tsx";

type Props = {
  market: ChosenBenchmark;
  title?: string;
  /** Of its weeks. */
  chart: ReactNode;
};

/** What rates on a trade lane are: the amounts for subscribers of the lane, the delayed index for everybody else. */
export const MarketCard = ({ market, title = "Market rates", chart }: Props) => (
  <Card
    id="market"
    title={title}
    description={
      <>
        <Term name="All-in rate">All-in rates</Term> on {market.tradeLane.name}, {market.cargo},{" "}
        {formatBasis(market.basis)}
      </>
    }
    actions={market.access === "free" ? <Badge>Delayed {freeDelayWeeks} weeks</Badge> : null}
    footer={
      market.access === "free" ? (
        <>
          A rounded index of the median rate of all routes on the lane. Subscribe to any of them to see the amounts up
          to last week, with changes over a quarter and a year.
        </>
      ) : (
        <>
          {market.newest.routeCount === null ? null : (
            <>
              {formatCount(market.newest.routeCount, "route")} of{" "}
              {formatCount(market.newest.carrierCount ?? 0, "carrier")}.{" "}
            </>
          )}
          Rounded averages of several routes. Weeks with fewer than {fewestRoutes} routes or {fewestCarriers} carriers
          are left out.
        </>
      )
    }
  >
    {market.choices.length > 1 ? (
      <div className="-mt-2 mb-4">
        <Tabs
          label="Cargo"
          tabs={market.choices.map(({ key, label }) => ({
            label,
            to: `?market=${key}#market`,
            current: key === market.key,
          }))}
        />
      </div>
    ) : null}
    <p className="mb-4 text-ink text-sm leading-6">{inWords(market)}</p>
    {market.weeks.length > 1 ? chart : null}
  </Card>
);

/** `In the week of 9 Nov 2026 the median was $4,180, low … Change: +2.4% in four weeks, …` */
const inWords = ({ newest, change, weeks }: ChosenBenchmark): ReactNode => {
  const changes = [
    { percent: change.weeks4, over: "4 weeks" },
    { percent: change.weeks13, over: "a quarter" },
    { percent: change.weeks52, over: "a year" },
  ].filter((one): one is { percent: number; over: string } => one.percent !== null);
  const what =
    newest.medianCents === null ? (
      <>
        In the week of {formatDay(newest.week)} the index was <strong>{formatNumber(newest.index)}</strong>, with the
        week of {formatDay(weeks[0].week)} as 100
      </>
    ) : (
      <>
        In the week of {formatDay(newest.week)} the median was <strong>{formatMoney(newest.medianCents)}</strong>, low{" "}
        {formatMoney(newest.lowCents)} and high {formatMoney(newest.highCents)}
      </>
    );
  return (
    <>
      {what}
      {changes.length > 0 ? ". Change: " : "."}
      {changes.map(({ percent, over }, index) => (
        <span key={over}>
          {index > 0 ? ", " : ""}
          <strong className="whitespace-nowrap">{formatChange(percent / 100)}</strong> in {over}
        </span>
      ))}
      {changes.length > 0 ? "." : ""}
    </>
  );
};
