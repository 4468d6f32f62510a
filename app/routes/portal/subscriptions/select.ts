/** Filters, groups and sorts the subscriptions page by its query parameters. */
import { addDays, type Day } from "#app/domain/dates.ts";
import { expirationOutlookDays } from "#app/domain/subscriptions/policy.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/status.ts";
import { formatWord } from "#app/portal/format.ts";

type Listed = {
  routeName: string;
  routeCode: string;
  carrier: string;
  tradeLane: string;
  status: SubscriptionStatus;
  autoRenew: boolean;
  endDate: string;
  daysLeft: number;
  nextCharge: { date: string; amountCents: number } | null;
};

const sortings = ["end", "charge", "route"] as const;
const groupings = ["status", "lane", "carrier"] as const;
const statuses = ["expiring_soon", "active", "cancelled", "expired"] as const satisfies readonly SubscriptionStatus[];

/** The query parameters of the list. Pages that come back to it keep them. */
export const listParams = ["status", "renewal", "expiring", "q", "group", "sort"] as const;

export type Choice = {
  status: SubscriptionStatus | null;
  renewal: "on" | "off" | null;
  /** Only those whose access ends within `outlookDays`. */
  isExpiring: boolean;
  q: string;
  group: (typeof groupings)[number] | null;
  sort: (typeof sortings)[number];
};

/** Unknown values are ignored. */
export const choiceOf = (params: Record<string, string | undefined>): Choice => {
  const one = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === params[name]) ?? null;
  return {
    status: one(statuses, "status"),
    renewal: one(["on", "off"], "renewal"),
    isExpiring: params.expiring === String(outlookDays),
    q: (params.q ?? "").trim(),
    group: one(groupings, "group"),
    sort: one(sortings, "sort") ?? "end",
  };
};

/** The query parameters of a choice, without those that have their default. */
export const paramsOf = ({ status, renewal, isExpiring, q, group, sort }: Choice): Record<string, string> => ({
  ...(status ? { status } : {}),
  ...(renewal ? { renewal } : {}),
  ...(isExpiring ? { expiring: String(outlookDays) } : {}),
  ...(q ? { q } : {}),
  ...(group ? { group } : {}),
  ...(sort === "end" ? {} : { sort }),
});

export const isNarrowed = ({ status, renewal, isExpiring, q }: Choice): boolean =>
  status !== null || renewal !== null || isExpiring || q !== "";

export const countsOf = (rows: readonly Listed[]): Record<SubscriptionStatus | "all", number> => {
  const counts = { all: rows.length, active: 0, expiring_soon: 0, cancelled: 0, expired: 0 };
  for (const { status } of rows) counts[status]++;
  return counts;
};

export type Group<Row> = { title: string; rows: Row[] };

/** The rows that the choice leaves, in groups. Without a grouping, the running ones and then the ended ones. */
export const groupsOf = <Row extends Listed>(rows: readonly Row[], choice: Choice): Group<Row>[] => {
  const words = choice.q.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = rows
    .filter(({ status }) => choice.status === null || status === choice.status)
    .filter(({ status, autoRenew }) => choice.renewal === null || isRenewing(status, autoRenew) === choice.renewal)
    .filter(({ status, daysLeft }) => !choice.isExpiring || (status !== "expired" && daysLeft <= outlookDays))
    .filter(({ routeName, routeCode, carrier, tradeLane }) => {
      const text = `${routeName} ${routeCode} ${carrier} ${tradeLane}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort(orders[choice.sort]);
  const running = matching.filter(({ status }) => status !== "expired");
  // Latest end first, unless sorted by route.
  const ended = matching
    .filter(({ status }) => status === "expired")
    .sort(choice.sort === "route" ? orders.route : reversed(orders.end));
  const titleOf = titles[choice.group ?? "none"];
  const groups = new Map<string, Row[]>();
  for (const row of [...running, ...ended]) {
    const title = titleOf(row);
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  const made = [...groups].map(([title, rows]) => ({ title, rows }));
  if (choice.group === null) return made;
  const rank = choice.group === "status" ? statusTitles : made.map(({ title }) => title).sort(byText);
  return made.sort((a, b) => rank.indexOf(a.title) - rank.indexOf(b.title));
};

/** Does not apply to ended subscriptions. */
const isRenewing = (status: SubscriptionStatus, autoRenew: boolean): Choice["renewal"] =>
  status === "expired" ? null : autoRenew ? "on" : "off";

export const statusTitle = (status: SubscriptionStatus): string =>
  status === "expired" ? "Ended" : formatWord(status);

const statusTitles = statuses.map(statusTitle);

const titles = {
  none: ({ status }) => (status === "expired" ? "Ended" : "Active"),
  status: ({ status }) => statusTitle(status),
  lane: ({ tradeLane }) => tradeLane || "Other",
  carrier: ({ carrier }) => carrier || "Other",
} satisfies Record<NonNullable<Choice["group"]> | "none", (row: Listed) => string>;

/** How far ahead the page looks. */
export const outlookDays = expirationOutlookDays.default;

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
} satisfies Record<Choice["sort"], Order>;
