import type { PeriodPrice, PriceChangeReason } from "#app/domain/catalogue/price-history.ts";
import { Card } from "#app/portal/components/card.tsx";
import { Small } from "#app/portal/components/small.tsx";
import { Table } from "#app/portal/components/table.tsx";
import { formatDay, formatMoney } from "#app/portal/format.ts";

type Price = Omit<PeriodPrice, "validFrom"> & { validFrom: string };

/** The prices of the route's periods and what they are made of, newest first. */
export const PriceHistory = ({ prices }: { prices: readonly Price[] }) => (
  <Card
    title="Price history"
    description="Price per month before discounts: base price of the trade lane × freshness × popularity, unless we set a fixed price."
    flush
  >
    <Table
      caption="Price history"
      narrow
      rows={prices}
      rowKey={({ periodId, validFrom, monthlyCents }) => `${periodId} ${validFrom} ${monthlyCents}`}
      columns={[
        {
          key: "from",
          header: "From",
          primary: true,
          cell: (price) => (
            <>
              <span className="whitespace-nowrap">{formatDay(price.validFrom)}</span>
              <Small phone>{factorsOf(price)}</Small>
            </>
          ),
        },
        { key: "period", header: "Period", desktopOnly: true, cell: ({ periodName }) => periodName },
        { key: "price", header: "List price per month", cell: ({ monthlyCents }) => formatMoney(monthlyCents) },
        { key: "factors", header: "Base × freshness × popularity", desktopOnly: true, cell: factorsOf },
        { key: "reason", header: "Reason", cell: ({ reason }) => reasons[reason] },
      ]}
    />
  </Card>
);

const factorsOf = ({ overrideKind, basePriceCents, freshnessPercent, popularityPercent }: Price) =>
  overrideKind !== null
    ? "Fixed price"
    : `${formatMoney(basePriceCents)} × ${freshnessPercent}% × ${popularityPercent}%`;

const reasons = {
  initial: "First price",
  base_price: "Base price changed",
  freshness: "Freshness changed",
  popularity: "Popularity changed",
  freeze: "Price frozen",
  override: "Fixed price set",
  release: "Fixed price removed",
} as const satisfies Record<PriceChangeReason, string>;
