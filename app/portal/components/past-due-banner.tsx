import { lastDayOf } from "../../domain/dates.ts";
import { formatCount, formatDay } from "../format.ts";
import type { RootData } from "../root-data.ts";
import { Link } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { payPath } from "./past-due-alert.tsx";

type Props = { pastDue: NonNullable<RootData["pastDue"]> };

/** Shown on every page while a renewal is past due. Its own pages say more. */
export const PastDueBanner = ({ pastDue: { first, count } }: Props) => (
  <aside aria-label="Past due" className="no-print border-danger-line border-b bg-danger-soft text-danger text-sm">
    <div className="mx-auto flex w-full max-w-[76rem] flex-wrap items-center gap-x-2 gap-y-1 px-4 py-1.5 sm:px-6 lg:px-8">
      <Icon name="alert-triangle" className="size-4" />
      <p className="min-w-0 flex-1 max-sm:text-[0.8125rem] max-sm:leading-5">
        <span className="font-semibold">
          {count > 1
            ? `${formatCount(count, "renewal")} are past due.`
            : `The renewal of ${first.routeName} ${first.needsAuthentication ? "needs your approval" : "is past due"}.`}
        </span>{" "}
        Unless you pay, {count > 1 ? "the first" : "your"} last day with access is {formatDay(lastDayOf(first.endDate))}
        .
      </p>
      <Link
        to={count > 1 ? "/subscriptions" : payPath(first)}
        prefetch="none"
        className="min-h-7 content-center rounded font-medium underline underline-offset-3 hover:decoration-2"
      >
        {count > 1 ? "View renewals" : "Pay now"}
      </Link>
    </div>
  </aside>
);
