import type { ReactNode } from "react";
import type { LineDiscount } from "../../domain/payments/line-discounts.ts";
import { chargeInWords } from "../../domain/subscriptions/wording.ts";
import { formatCount, formatDay, formatMoney, formatWord } from "../format.ts";
import { discountInWords } from "../invoice-view.ts";
import { Card } from "./card.tsx";
import { RouteLine } from "./route-line.tsx";

export type OrderView = {
  amountCents: number;
  taxCents: number;
  lines: readonly OrderLineView[];
};

type OrderLineView = {
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
  /** The first and the last day with access that the line pays for. */
  firstDay: string;
  lastDay: string;
  /** The days follow those that are paid for already. */
  isExtension: boolean;
  /** Null: it does not renew. The amount is null while no price is known. */
  renewal: { on: string; amountCents: number | null } | null;
};

/** Up to this many lines each show their discounts; longer orders show the sums only. */
const maxDetailedLines = 2;

/**
 * The whole deal of an order: days with access, prices with each discount and its reason, and renewals.
 *
 * @param props.renewalCap how much the price may rise at a renewal, as a sentence
 */
export const OrderSummary = ({ order, renewalCap }: { order: OrderView; renewalCap?: string }) => {
  const { lines } = order;
  const isLong = lines.length > maxDetailedLines;
  return (
    <Summary
      order={order}
      description={isLong ? formatCount(lines.length, "route") : undefined}
      terms={
        <>
          {lines.some(({ renewal }) => renewal !== null) ? (
            <Renewals lines={lines} renewalCap={renewalCap} />
          ) : (
            <Term title="Does not renew automatically">We charge nothing more. Access ends after the last day.</Term>
          )}
          <Term title="No pauses or refunds">If you cancel, you keep access until the last day that you paid for.</Term>
        </>
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
            <Access line={line} />
            {isLong ? null : <Steps lines={[line]} />}
          </li>
        ))}
      </ul>
      {isLong ? (
        <div className="mt-4 border-line border-t pt-2 text-sm">
          <Steps lines={lines} />
        </div>
      ) : null}
    </Summary>
  );
};

export type PlanOrderView = {
  plan: string;
  months: number;
  monthlyCents: number;
  totalCents: number;
  /** The first and the last day with the plan. */
  firstDay: string;
  lastDay: string;
  isExtension: boolean;
};

/** The same for an order of a plan. */
export const PlanSummary = ({ order, plan }: { order: Omit<OrderView, "lines">; plan: PlanOrderView }) => (
  <Summary
    order={order}
    terms={
      <>
        <Term title="Does not renew automatically">
          We charge nothing more. After the last day your account is on the Free plan.
        </Term>
        <Term title="No refunds">You keep the plan until the last day that you paid for.</Term>
      </>
    }
  >
    <div className="text-sm">
      <p className="flex justify-between gap-4 font-semibold text-ink">
        <span>{formatWord(plan.plan)} plan</span>
        <span className="tabular-nums">{formatMoney(plan.totalCents)}</span>
      </p>
      <p className="text-ink">
        {formatCount(plan.months, plan.isExtension ? "additional month" : "month")}, {formatDay(plan.firstDay)} –{" "}
        {formatDay(plan.lastDay)}
      </p>
      <dl className="mt-2 grid gap-1 text-muted tabular-nums">
        <Step label="Price per month" amount={formatMoney(plan.monthlyCents)} />
      </dl>
    </div>
  </Summary>
);

type SummaryProps = {
  order: Omit<OrderView, "lines">;
  description?: string | undefined;
  /** Renewal and refunds. */
  terms: ReactNode;
  children: ReactNode;
};

const Summary = ({ order, description, terms, children }: SummaryProps) => (
  <Card title="Your order" description={description}>
    {children}
    {order.taxCents > 0 ? (
      <dl className="mt-4 grid gap-1 border-line border-t pt-4 text-muted text-sm tabular-nums">
        <Step label="Net amount" amount={formatMoney(order.amountCents - order.taxCents)} />
        <Step label="Tax" amount={formatMoney(order.taxCents)} />
      </dl>
    ) : null}
    <p className="mt-4 flex items-baseline justify-between gap-4 border-line border-t pt-4">
      <span className="font-medium text-muted text-sm">To pay now</span>
      <span className="font-semibold text-ink text-xl tabular-nums">{formatMoney(order.amountCents)}</span>
    </p>
    <div className="mt-4 grid gap-4 border-line border-t pt-4 text-sm leading-6">{terms}</div>
  </Card>
);

const Access = ({ line: { firstDay, lastDay, isExtension, months } }: { line: OrderLineView }) => (
  <p className="text-ink">
    {formatCount(months, "month")} of {isExtension ? "additional " : ""}access, {formatDay(firstDay)} –{" "}
    {formatDay(lastDay)}
  </p>
);

const Renewals = ({ lines, renewalCap }: { lines: OrderView["lines"]; renewalCap: string | undefined }) => (
  <Term title="Renews automatically">
    <dl className="mb-1 grid gap-1 font-medium text-ink tabular-nums">
      {renewalsByDay(lines).map(({ on, routes, amountCents }) => (
        <div key={on} className="flex justify-between gap-4">
          <dt>
            {formatDay(on)}
            {lines.length > 1 ? `, ${formatCount(routes, "route")}` : ""}
          </dt>
          <dd>{amountCents === null ? "Price to follow by e-mail" : formatMoney(amountCents)}</dd>
        </div>
      ))}
    </dl>
    Today's prices are shown. The card for renewals is {chargeInWords}. {renewalCap} You can turn off auto-renewal at
    any time under Subscriptions.
    {lines.every(({ renewal }) => renewal !== null) ? null : " The other routes do not renew automatically."}
  </Term>
);

type DayOfRenewals = { on: string; routes: number; amountCents: number | null };

/** In order of their days. A day's amount is null if one of its prices is not known. */
const renewalsByDay = (lines: OrderView["lines"]): DayOfRenewals[] => {
  const days = new Map<string, DayOfRenewals>();
  for (const { renewal } of lines) {
    if (!renewal) continue;
    const { on } = renewal;
    const day = days.get(on) ?? { on, routes: 0, amountCents: 0 };
    const isKnown = day.amountCents !== null && renewal.amountCents !== null;
    days.set(on, {
      on,
      routes: day.routes + 1,
      amountCents: isKnown ? (day.amountCents ?? 0) + (renewal.amountCents ?? 0) : null,
    });
  }
  return [...days.values()].sort((a, b) => a.on.localeCompare(b.on));
};

const Term = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h3 className="font-semibold text-ink">{title}</h3>
    <div className="text-muted">{children}</div>
  </section>
);

/** List price, discounts with their reasons, and credit, for one line or summed over all. */
const Steps = ({ lines }: { lines: OrderView["lines"] }) => {
  const discounts = new Map<string, number>();
  for (const { months, discounts: own } of lines) {
    for (const discount of own) {
      const label = discountInWords(discount, months);
      discounts.set(label, (discounts.get(label) ?? 0) + discount.cents);
    }
  }
  const creditCents = sum(lines.map((line) => line.creditCents));
  return (
    <dl className="mt-2 grid gap-1 text-muted tabular-nums">
      <Step label="List price" amount={formatMoney(sum(lines.map(({ listCents }) => listCents)))} />
      {[...discounts].map(([label, cents]) => (
        <Step key={label} label={label} amount={`−${formatMoney(cents)}`} />
      ))}
      {creditCents > 0 ? (
        <Step label="Credit for unused days, at the price paid" amount={`−${formatMoney(creditCents)}`} />
      ) : null}
    </dl>
  );
};

const Step = ({ label, amount }: { label: string; amount: string }) => (
  <div className="flex justify-between gap-4">
    <dt>{label}</dt>
    <dd className="whitespace-nowrap">{amount}</dd>
  </div>
);

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
