import { freeDelayWeeks } from "#app/domain/benchmarks/policy.ts";
import type { LaneMarketView } from "../benchmark-view.ts";
import { formatChange, formatDay, formatMoney, formatNumber } from "../format.ts";
import { Link } from "./button.tsx";
import { Card } from "./card.tsx";
import { Small } from "./small.tsx";
import { Sparkline } from "./sparkline.tsx";
import { type Column, Table } from "./table.tsx";

/** The markets of several trade lanes, one per row. */
export const LaneMarkets = ({ markets }: { markets: readonly LaneMarketView[] }) => (
  <Card
    title="Market rates"
    description={`Median all-in rate of each trade lane. Without a subscription on the lane, you see an index that is ${freeDelayWeeks} weeks old.`}
    flush
  >
    <Table caption="Market rates" rows={markets} rowKey={({ tradeLane }) => tradeLane.id} columns={columns} narrow />
  </Card>
);

const columns: Column<LaneMarketView>[] = [
  {
    key: "lane",
    header: "Trade lane",
    primary: true,
    cell: ({ tradeLane, cargo }) => (
      <>
        <Link
          to={`/trade-lanes/${tradeLane.code}#market`}
          prefetch="intent"
          className="font-semibold text-ink hover:text-accent hover:underline"
        >
          {tradeLane.name}
        </Link>
        <Small>{cargo}</Small>
      </>
    ),
  },
  {
    key: "level",
    header: "Median or index",
    align: "end",
    cell: ({ newest }) => (
      <>
        {newest.medianCents === null ? formatNumber(newest.index) : formatMoney(newest.medianCents)}
        <Small>{formatDay(newest.week)}</Small>
      </>
    ),
  },
  {
    key: "change",
    header: "Change in 4 weeks",
    align: "end",
    cell: ({ change4Weeks }) => (change4Weeks === null ? "–" : formatChange(change4Weeks / 100)),
  },
  {
    key: "year",
    header: "Past year",
    align: "end",
    desktopOnly: true,
    cell: ({ indexes, tradeLane }) => <Sparkline values={indexes} label={`Index of ${tradeLane.name} over a year`} />,
  },
];
