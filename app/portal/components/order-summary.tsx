import { formatMoney } from "../format.ts";
import { Card } from "./card.tsx";

export type OrderView = {
  amountCents: number;
  autoRenew: boolean;
  lines: readonly {
    id: number;
    routeName: string;
    routeCode: string;
    months: number;
    listCents: number;
    discountCents: number;
    /** Unused days, at the price paid. */
    creditCents: number;
    termDiscountPercent: number;
    volumeDiscountPercent: number;
    totalCents: number;
  }[];
};

/** What is being bought, with every discount explained. */
export const OrderSummary = ({ order }: { order: OrderView }) => (
  <Card
    title="Your order"
    footer={
      order.autoRenew
        ? "Renews automatically: the card is charged three days before the end, at the price of that day."
        : "Does not renew: access ends by itself."
    }
  >
    <ul className="grid gap-4 text-sm">
      {order.lines.map((line) => (
        <li key={line.id}>
          <p className="flex justify-between gap-4 font-semibold text-ink">
            <span>{line.routeName}</span>
            <span className="tabular-nums">{formatMoney(line.totalCents)}</span>
          </p>
          <p className="font-mono text-muted text-xs">{line.routeCode}</p>
          <dl className="mt-2 grid gap-1 text-muted tabular-nums">
            <div className="flex justify-between gap-4">
              <dt>{line.months === 1 ? "1 month" : `${line.months} months`}</dt>
              <dd>{formatMoney(line.listCents)}</dd>
            </div>
            {line.discountCents > 0 ? (
              <div className="flex justify-between gap-4">
                <dt>
                  {[
                    line.termDiscountPercent > 0 ? `Term discount ${line.termDiscountPercent}%` : null,
                    line.volumeDiscountPercent > 0 ? `volume discount ${line.volumeDiscountPercent}%` : null,
                  ]
                    .filter(Boolean)
                    .join(", ")}
                </dt>
                <dd>−{formatMoney(line.discountCents)}</dd>
              </div>
            ) : null}
            {line.creditCents > 0 ? (
              <div className="flex justify-between gap-4">
                <dt>Credit for unused days</dt>
                <dd>−{formatMoney(line.creditCents)}</dd>
              </div>
            ) : null}
          </dl>
        </li>
      ))}
    </ul>
    <p className="mt-4 flex items-baseline justify-between gap-4 border-line border-t pt-4">
      <span className="font-medium text-muted text-sm">Total, charged now</span>
      <span className="font-semibold text-ink text-xl tabular-nums">{formatMoney(order.amountCents)}</span>
    </p>
  </Card>
);
