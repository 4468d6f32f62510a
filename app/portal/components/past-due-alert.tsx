import { lastDayOf } from "../../domain/dates.ts";
import { formatDay, formatInstant, formatMoney } from "../format.ts";
import type { PastDue } from "../past-due.ts";
import { Alert } from "./alert.tsx";
import { ButtonLink } from "./button.tsx";

type Props = {
  renewal: PastDue;
  /** Names the route, on pages that show more than one. */
  named?: boolean;
};

/** A renewal that is past due: what failed, when and why, when it is tried again, what happens at the end, and the way to pay. */
export const PastDueAlert = ({ renewal, named = false }: Props) => {
  const { routeName, endDate, needsAuthentication, amountCents, nextAttemptOn, lastFailure } = renewal;
  const what = amountCents === null ? "The payment" : `The payment of ${formatMoney(amountCents)}`;
  return (
    <Alert
      tone="danger"
      title={`${named ? `${routeName}: the` : "The"} renewal ${needsAuthentication ? "needs your approval" : "is past due"}`}
      action={<PayNow renewal={renewal} />}
    >
      <p>
        {what} failed on {formatInstant(lastFailure.at)}. {lastFailure.message}
      </p>
      <p>
        {nextAttemptOn ? `We will try again on ${formatDay(nextAttemptOn)}.` : "We will not try again."} Unless you pay,
        your last day with access is {formatDay(lastDayOf(endDate))}.
      </p>
    </Alert>
  );
};

/** The way to pay it. A GET that opens the payment: opening it again changes nothing. */
export const PayNow = ({ renewal, size }: { renewal: PayNowProps; size?: "small" }) => (
  <ButtonLink to={payPath(renewal)} prefetch="none" variant="primary" size={size ?? "medium"} icon="card">
    {payLabel(renewal)}
  </ButtonLink>
);

type PayNowProps = Pick<PastDue, "subscriptionId" | "endDate" | "needsAuthentication">;

export const payPath = ({ subscriptionId, endDate }: Pick<PastDue, "subscriptionId" | "endDate">): string =>
  `/subscriptions/${subscriptionId}/pay?end=${endDate}`;

export const payLabel = ({ needsAuthentication }: Pick<PastDue, "needsAuthentication">): string =>
  needsAuthentication ? "Approve and pay now" : "Update card and pay now";
