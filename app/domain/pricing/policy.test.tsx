/** Another table of volume discounts, and every place that states one. */
import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { openApiDocument } from "../../api/openapi.ts";
import { guideFacts } from "../../docs/facts.server.ts";
import { Subscriptions } from "../../docs/guides/subscriptions.tsx";
import Basket from "../../routes/portal/basket.tsx";
import { Landing } from "../../routes/portal/home/landing.tsx";
import { SubscribeCard } from "../../routes/portal/routes/subscribe-card.tsx";
import { quote } from "./quote.ts";
import { volumeReasonInWords } from "./volume-discount.ts";

vi.mock("./policy.ts", async (original) => ({
  ...(await original<typeof import("./policy.ts")>()),
  volumeTiers: [
    { fromRoutes: 3, percent: 4 },
    { fromRoutes: 8, percent: 9 },
    { fromRoutes: 12, percent: 13 },
  ],
  customPricingFromRoutes: 16,
}));

const page = vi.hoisted(() => ({ data: {} as unknown }));
vi.mock("@remix-run/react", () => ({
  Link: ({ children }: { children: ReactNode }) => <>{children}</>,
  Form: ({ children }: { children: ReactNode }) => <form>{children}</form>,
  useLoaderData: () => page.data,
  useActionData: () => undefined,
  useNavigation: () => ({ state: "idle" }),
  useSubmit: () => () => {},
}));

const textOf = (element: ReactElement, data: unknown = {}): string => {
  page.data = data;
  return renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
};

const table =
  "3 to 7 routes: 4% off. 8 to 11 routes: 9% off. 12 to 15 routes: 13% off. 16 routes or more: custom pricing.";
const appUrl = "https://example.com";

const basket = {
  terms: [],
  count: 1,
  needsQuote: false,
  totals: { listCents: 1000, discountCents: 0, totalCents: 1000 },
  volumePercent: 0,
  volume: 1,
  unavailable: [],
  lines: [
    {
      ...quote([{ periodId: 1, routeId: 1, term: "1_month", monthlyCents: 1000 }], [], null).lines[0],
      routeName: "Shanghai – Rotterdam",
      routeCode: "C-CNSHA-NLRTM-PEL9",
      carrier: "Pelican",
      cargo: "Container",
      discounts: [],
    },
  ],
};

const landing = {
  route: null,
  counts: { routes: 1, tradeLanes: 1 },
  regions: [],
  samples: [],
  terms: [],
  priceFrom: null,
  appUrl,
};

const offer = { id: 1, name: "Q4", freshness: "daily", startsOn: "2026-10-01", lines: [] };

it.each([
  ["the landing page", () => textOf(<Landing {...landing} />)],
  ["the basket", () => textOf(<Basket />, basket)],
  ["the empty basket", () => textOf(<Basket />, { ...basket, count: 0, totals: null, lines: [] })],
  [
    "the subscribe card",
    () =>
      textOf(
        <SubscribeCard
          offers={[offer]}
          chosen={0}
          problem={undefined}
          signedIn={false}
          extending={false}
          beforeTax={false}
          choice={{ term: "3_months", autoRenew: true }}
        />,
      ),
  ],
  ["the API's description", () => JSON.stringify(openApiDocument(appUrl))],
])("%s states the new table", (_, text) => {
  expect(text()).toContain(table);
  expect(text()).not.toMatch(/5 to 10|11 to 20|21 (routes )?or more/);
});

it("the basket counts the routes to the new tier", () => {
  expect(textOf(<Basket />, basket)).toContain("2 more routes: 4% off everything");
  expect(textOf(<Basket />, { ...basket, volume: 13 })).toContain("3 more routes: custom pricing");
});

it("the guide lists the new tiers", () => {
  const text = textOf(<Subscriptions {...guideFacts({ appUrl, testMode: true, renewalCapPercent: 10 })} />);
  expect(text).toMatch(/3 to 7 routes 4% 8 to 11 routes 9% 12 to 15 routes 13% 16 routes or more As agreed with sales/);
  expect(text).not.toMatch(/5 to 10|11 to 20|21 (routes )?or more/);
});

it.each([
  [2, 0, null],
  [3, 4, "for 3 to 7 routes"],
  [12, 13, "for 12 to 15 routes"],
])("a quote for %i routes takes %i percent off and says why", (routes, percent, words) => {
  const items = Array.from({ length: routes }, (_, routeId) => ({
    periodId: routeId,
    routeId,
    term: "1_month" as const,
    monthlyCents: 1000,
  }));
  const [line] = quote(items, [], null).lines;
  expect(line?.volumeDiscountPercent).toBe(percent);
  expect(line?.volumeDiscountReason && volumeReasonInWords(line.volumeDiscountReason)).toBe(words);
});
