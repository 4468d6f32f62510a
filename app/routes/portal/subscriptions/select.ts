/** Filters and sorts the subscriptions page by its query parameters. */
import { addDays, type Day } from "#app/domain/dates.ts";
import { expirationOutlookDays } from "#app/domain/subscriptions/policy.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/status.ts";

type Listed = {
  routeName: string;
  routeCode: string;
  carrier: string;
  status: SubscriptionStatus;
  endDate: string;
  nextCharge: { date: string } | null;
};

type Sorting = "end" | "charge" | "route";

const statuses: readonly SubscriptionStatus[] = ["active", "expiring_soon", "cancelled", "expired"];

export const countsOf = (rows: readonly Listed[]): Record<SubscriptionStatus | "all", number> => {
  const counts = { all: rows.length, active: 0, expiring_soon: 0, cancelled: 0, expired: 0 };
  for (const { status } of rows) counts[status]++;
  return counts;
};

/** Unknown values are ignored. */
export const selected = <Row extends Listed>(rows: readonly Row[], params: Record<string, string | undefined>) => {
  const status = statuses.find((one) => one === params.status) ?? null;
  const sort: Sorting = params.sort === "charge" || params.sort === "route" ? params.sort : "end";
  const q = (params.q ?? "").trim();
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = rows
    .filter((row) => status === null || row.status === status)
    .filter((row) =>
      words.every((word) => `${row.routeName} ${row.routeCode} ${row.carrier}`.toLowerCase().includes(word)),
    )
    .sort(orders[sort]);
  return {
    running: matching.filter((row) => row.status !== "expired"),
    // Latest end first, unless sorted by route.
    ended: matching
      .filter((row) => row.status === "expired")
      .sort(sort === "route" ? orders.route : reversed(orders.end)),
    status,
    sort,
    q,
    isNarrowed: status !== null || words.length > 0,
  };
};

const outlookDays = expirationOutlookDays.default;

/** Charges, and subscriptions that end without renewal, within `outlookDays` of `today`; `next` looks further ahead. */
export const outlookOf = (
  rows: readonly {
    status: SubscriptionStatus;
    daysLeft: number;
    nextCharge: { date: string; amountCents: number } | null;
  }[],
  today: Day,
) => {
  const charges = rows
    .flatMap(({ nextCharge }) => (nextCharge ? [nextCharge] : []))
    .sort((a, b) => byText(a.date, b.date));
  const soon = charges.filter(({ date }) => date <= addDays(today, outlookDays));
  return {
    days: outlookDays,
    next: charges[0] ?? null,
    renewals: soon.length,
    renewalCents: soon.reduce((sum, { amountCents }) => sum + amountCents, 0),
    ending: rows.filter(
      ({ status, nextCharge, daysLeft }) => status !== "expired" && nextCharge === null && daysLeft <= outlookDays,
    ).length,
  };
};

type Order = (a: Listed, b: Listed) => number;

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const reversed =
  (order: Order): Order =>
  (a, b) =>
    order(b, a);

/** Sorts subscriptions without a next charge last. */
const never = "9999-12-31";

const orders = {
  end: (a, b) => byText(a.endDate, b.endDate),
  charge: (a, b) => byText(a.nextCharge?.date ?? never, b.nextCharge?.date ?? never),
  route: (a, b) => byText(a.routeName, b.routeName),
} satisfies Record<Sorting, Order>;
