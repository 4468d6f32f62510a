/** Other days for reminders and charges, and every place that states them. */
import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { openApiDocument } from "../../api/openapi.ts";
import { guideFacts } from "../../docs/facts.server.ts";
import { Subscriptions } from "../../docs/guides/subscriptions.tsx";
import { OrderSummary } from "../../portal/components/order-summary.tsx";
import { SubscribeCard } from "../../routes/portal/routes/subscribe-card.tsx";
import { timelineOf } from "../../routes/portal/subscriptions/timeline.ts";
import { dueReminder } from "./policy.ts";
import { nextAttempt } from "./renewal.ts";
import { statusOn } from "./status.ts";

vi.mock("./policy.ts", async (original) => {
  const reminderDays = [9, 2];
  return {
    ...(await original<typeof import("./policy.ts")>()),
    expiringSoonDays: 9,
    reminderDays,
    chargeDaysBeforeEnd: 5,
    chargeRetries: 4,
  };
});
vi.mock("@remix-run/react", () => ({
  Link: ({ children }: { children: ReactNode }) => <>{children}</>,
  Form: ({ children }: { children: ReactNode }) => <form>{children}</form>,
  useNavigation: () => ({ state: "idle" }),
}));

const appUrl = "https://example.com";
const textOf = (element: ReactElement): string =>
  renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const line = {
  id: 1,
  routeName: "Shanghai to Rotterdam",
  routeCode: "C-CNSHA-NLRTM-PEL9",
  carrier: "Pelican",
  cargo: "Container",
  months: 1,
  listCents: 1000,
  discounts: [],
  creditCents: 0,
  totalCents: 1000,
  firstDay: "2026-11-16",
  lastDay: "2026-12-15",
  isExtension: false,
  renewal: { on: "2026-12-13", amountCents: 1000 },
};
const offer = { id: 1, name: "Q4", freshness: "daily", startsOn: "2026-10-01", lines: [] };

describe("With a charge five days before the end", () => {
  it.each([
    ["the order's summary", () => textOf(<OrderSummary order={{ amountCents: 1000, taxCents: 0, lines: [line] }} />)],
    [
      "the subscribe card",
      () =>
        textOf(
          <SubscribeCard
            offers={[offer]}
            chosen={0}
            problem={undefined}
            signedIn
            extending={false}
            beforeTax={false}
            choice={{ term: "3_months", autoRenew: true }}
          />,
        ),
    ],
    ["the guide", () => textOf(<Subscriptions {...guideFacts({ appUrl, testMode: true, renewalCapPercent: 10 })} />)],
    ["the API's description", () => JSON.stringify(openApiDocument(appUrl))],
  ])("%s says so", (_, text) => {
    expect(text()).toContain("charged 5 days before the term ends");
    expect(text()).not.toMatch(/(3|three) days before/);
  });

  it("the renewal is charged on that day", () => {
    expect(nextAttempt("2026-11-20", "2026-12-20", null)).toBe("2026-12-15");
  });
});

describe("With reminders nine and two days before the end", () => {
  it("the guide names both, and the retries that follow from the day of the charge", () => {
    const text = textOf(<Subscriptions {...guideFacts({ appUrl, testMode: true, renewalCapPercent: 10 })} />);
    expect(text).toContain("We send reminders 9 days and 2 days before the end.");
    expect(text).toContain("at most 4 more times");
    expect(text).toContain("More than 9 days are left.");
  });

  it("the status and the timeline follow", () => {
    expect(statusOn("2026-12-11", { endDate: "2026-12-20", cancelledAt: null })).toBe("expiring_soon");
    expect(statusOn("2026-12-10", { endDate: "2026-12-20", cancelledAt: null })).toBe("active");
    const subscription = {
      ...({ status: "active", endDate: "2026-12-20", renewalTerm: "1_month", nextCharge: null } as const),
      ...{ cancelledAt: null, renewal: { lastFailure: null } },
    };
    const reminders = timelineOf(subscription, [], "2026-11-20").filter(({ what }) => what === "reminder");
    expect(reminders.map(({ on }) => on)).toEqual(["2026-12-11", "2026-12-18"]);
  });
});

describe("The reminder that is due", () => {
  it.each([
    [8, null],
    [7, 7],
    [2, 7],
    [1, 1],
    [0, 1],
  ])("with %i days left is %s", (daysLeft, reminder) => {
    expect(dueReminder(daysLeft)).toBe(reminder);
  });
});
