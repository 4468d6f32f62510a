import type { LineDiscount } from "../../domain/payments/line-discounts.ts";
import { chargeInWords } from "../../domain/subscriptions/wording.ts";
import { formatCount, formatMoney } from "../format.ts";
import { Card } from "./card.tsx";
import { RouteLine } from "./route-line.tsx";

export type OrderView = {
  amountCents: number;
  autoRenew: boolean;
  lines: readonly {
    id: number;
    routeName: string;
    routeCode: string;
    carrier: string;
    cargo: string;
    months: number;
    listCents: number;
    discounts: readonly LineDiscount[];
    /** Credit for unused days, at the price paid. */
    creditCents: number;
    totalCents: number;
  }[];
};

/** Up to this many lines each show their discounts; longer orders show the sums only. */
const maxDetailedLines = 2;

/** The lines of an order, with each discount. */
export const OrderSummary = ({ order }: { order: OrderView }) => {
  const { lines } = order;
  const isLong = lines.length > maxDetailedLines;
  return (
    <Card
      title="Your order"
      description={isLong ? formatCount(lines.length, "route") : undefined}
      footer={
        order.autoRenew
          ? `Renews automatically: the card is ${chargeInWords}. You can turn that off at any time, under Subscriptions.`
          : "Does not renew: access ends by itself."
      }
    >
      <ul className={`grid text-sm ${isLong ? "gap-3" : "gap-4"}`}>
        {lines.map((line) => (
          <li key={line.id}>
            <p className="flex justify-between gap-4 font-semibold text-ink">
              <span>{line.routeName}</span>
              <span className="tabular-nums">{formatMoney(line.totalCents)}</span>
            </p>
            <RouteLine {...line} />
            {isLong ? (
              <p className="text-muted text-xs leading-5">{monthsInWords(line.months)}</p>
            ) : (
              <Steps listLabel={`${monthsInWords(line.months)} at list price`} lines={[line]} />
            )}
          </li>
        ))}
      </ul>
      {isLong ? (
        <div className="mt-4 border-line border-t pt-2 text-sm">
          <Steps listLabel="List price" lines={lines} />
        </div>
      ) : null}
      <p className="mt-4 flex items-baseline justify-between gap-4 border-line border-t pt-4">
        <span className="font-medium text-muted text-sm">Total, charged now</span>
        <span className="font-semibold text-ink text-xl tabular-nums">{formatMoney(order.amountCents)}</span>
      </p>
    </Card>
  );
};

/** List price, discounts and credit, for one line or summed over all. */
const Steps = ({ listLabel, lines }: { listLabel: string; lines: OrderView["lines"] }) => {
  const creditCents = sum(lines.map((line) => line.creditCents));
  return (
    <dl className="mt-2 grid gap-1 text-muted tabular-nums">
      <Step label={listLabel} amount={formatMoney(sum(lines.map(({ listCents }) => listCents)))} />
      {(["term", "volume"] as const).map((kind) => {
        const discounts = lines.flatMap((line) => line.discounts.filter((discount) => discount.kind === kind));
        const percents = [...new Set(discounts.map(({ percent }) => percent))];
        if (discounts.length === 0) return null;
        return (
          <Step
            key={kind}
            label={`${kind === "term" ? "Term discount" : "Volume discount"}${percents.length === 1 ? ` ${percents[0]}%` : "s"}`}
            amount={`−${formatMoney(sum(discounts.map(({ cents }) => cents)))}`}
          />
        );
      })}
      {creditCents > 0 ? <Step label="Credit for unused days" amount={`−${formatMoney(creditCents)}`} /> : null}
    </dl>
  );
};

const Step = ({ label, amount }: { label: string; amount: string }) => (
  <div className="flex justify-between gap-4">
    <dt>{label}</dt>
    <dd>{amount}</dd>
  </div>
);

const monthsInWords = (months: number) => formatCount(months, "month");

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
