import type { ReactNode } from "react";
import type { DisputeOfAccount } from "../../domain/payments/disputes.server.ts";
import { formatDay, formatMoney } from "../format.ts";
import { Alert } from "./alert.tsx";

/** A dispute as loaders return it. */
export type DisputeView = Pick<
  DisputeOfAccount,
  "id" | "status" | "amountCents" | "currency" | "invoiceId" | "reason" | "isAllReturned"
> & {
  openedAt: string;
};

export const disputeView = ({ openedAt, endedAt: _endedAt, orderId: _orderId, ...dispute }: DisputeOfAccount) =>
  ({ ...dispute, openedAt: openedAt.toISOString() }) satisfies DisputeView;

/** What is contested: an open dispute, or one that was lost. The others are history. */
export const isContested = ({ status }: Pick<DisputeOfAccount, "status">): boolean =>
  status === "open" || status === "lost";

/** @param children what the reader can do */
export const DisputeNotice = ({
  dispute: { status, amountCents, currency, reason, openedAt, isAllReturned },
  action,
  children,
}: {
  dispute: DisputeView;
  action?: ReactNode;
  children: ReactNode;
}) => (
  <Alert
    tone={status === "lost" ? "danger" : "warning"}
    title={
      status === "lost"
        ? `The bank returned a disputed payment of ${formatMoney(amountCents, currency)}`
        : `A payment of ${formatMoney(amountCents, currency)} is disputed at the bank`
    }
    action={action}
  >
    Since {formatDay(openedAt)}, reason: {reason.replaceAll("_", " ")}.{" "}
    {isAllReturned ? "The terms bought with it have ended. " : null}
    {children}
  </Alert>
);
