import { Link } from "@remix-run/react";
import { formatCount, formatMoney } from "../format.ts";
import type { RootData } from "../root-data.ts";
import { Icon } from "./icon.tsx";

type Props = { disputed: NonNullable<RootData["disputed"]> };

/** Shown on every page while the bank has an open dispute. The billing page says more. */
export const DisputeBanner = ({ disputed: { first, count, isSuspended } }: Props) => (
  <aside aria-label="Dispute" className="no-print border-warning-line border-b bg-warning-soft text-sm text-warning">
    <div className="mx-auto flex w-full max-w-[76rem] flex-wrap items-center gap-x-2 gap-y-1 px-4 py-1.5 sm:px-6 lg:px-8">
      <Icon name="alert-triangle" className="size-4" />
      <p className="min-w-0 flex-1 max-sm:text-[0.8125rem] max-sm:leading-5">
        <span className="font-semibold">
          {count > 1
            ? `${formatCount(count, "payment")} are disputed at the bank.`
            : `A payment of ${formatMoney(first.amountCents, first.currency)} is disputed at the bank.`}
        </span>{" "}
        {isSuspended ? "Your account is suspended until we have reviewed it." : renewalsInWords(first.hasRenewalCard)}
      </p>
      <Link
        to="/billing"
        prefetch="none"
        className="min-h-7 content-center rounded font-medium underline underline-offset-3 hover:decoration-2"
      >
        View billing
      </Link>
    </div>
  </aside>
);

const renewalsInWords = (hasRenewalCard: boolean): string =>
  hasRenewalCard
    ? "We charge renewals to the card that you chose."
    : "We charge nothing until you choose a card for renewals.";
