import { describe, expect, it } from "vitest";
import { buyersTerms, offerOf, ownPrice, priceFrom, quoteFor, visitor } from "./own-price.ts";

const routes = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const month = (routeId: number) => ({ periodId: routeId, routeId, term: "1_month" as const, monthlyCents: 1000 });

describe("The price of one route", () => {
  it.each([
    { who: "a visitor", running: 0, agreed: null, routeId: 99, percent: 0, needsQuote: false },
    { who: "an account whose fifth route it is", running: 4, agreed: null, routeId: 99, percent: 5, needsQuote: false },
    { who: "an account that runs it among four", running: 4, agreed: null, routeId: 1, percent: 0, needsQuote: false },
    {
      who: "an account whose 20th route it is",
      running: 19,
      agreed: null,
      routeId: 99,
      percent: 10,
      needsQuote: false,
    },
    { who: "an account whose 21st route it is", running: 20, agreed: null, routeId: 99, percent: 0, needsQuote: true },
    { who: "an account with an agreement", running: 20, agreed: 30, routeId: 99, percent: 30, needsQuote: false },
    {
      who: "an account that needs no agreement yet",
      running: 4,
      agreed: 30,
      routeId: 1,
      percent: 0,
      needsQuote: false,
    },
  ])("has $percent% volume discount for $who", ({ running, agreed, routeId, percent, needsQuote }) => {
    const price = ownPrice({ runningRouteIds: routes(running), agreedPercent: agreed }, month(routeId));
    expect(price).toMatchObject({
      volumeDiscountPercent: percent,
      listCents: 1000,
      totalCents: 1000 - 10 * percent,
      needsQuote,
    });
  });

  it("is that of an order of this route alone", () => {
    const buyer = { runningRouteIds: routes(12), agreedPercent: null };
    const item = { ...month(99), term: "3_months" as const };
    expect(ownPrice(buyer, item)).toEqual({ ...quoteFor(buyer, [item]).quote.lines[0], needsQuote: false });
  });
});

describe("What the price of a route depends on", () => {
  const named = (running: number, agreedPercent: number | null, routeId = 99) =>
    buyersTerms({ runningRouteIds: routes(running), agreedPercent }, routeId);

  it("is the same for buyers with the same discount", () => {
    expect(named(0, null)).toBe(named(1, null));
    expect(named(4, null, 1)).toBe(named(0, null));
    expect(named(4, 30)).toBe(named(4, null));
  });

  it("differs with the discount, and where a quote is needed", () => {
    const all = [named(0, null), named(4, null), named(19, null), named(20, null), named(20, 30), named(20, 10)];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('"From"', () => {
  it("is the price of one month of the cheapest period", () => {
    const offers = [
      { routeId: 1, monthlyCents: 2000 },
      { routeId: 1, monthlyCents: 1500 },
    ];
    expect(priceFrom(visitor, offers)).toMatchObject({ months: 1, totalCents: 1500 });
  });

  it("compares what the buyer pays, not list prices", () => {
    const offers = [
      { routeId: 1, monthlyCents: 1000 },
      { routeId: 99, monthlyCents: 1040 },
    ];
    expect(priceFrom({ runningRouteIds: routes(4), agreedPercent: null }, offers)).toMatchObject({
      routeId: 99,
      totalCents: 988,
    });
  });

  it("is nothing where nothing is on sale", () => {
    expect(priceFrom(visitor, [])).toBeNull();
  });
});

describe("The price of an order", () => {
  it("counts its routes and those that are active, once each", () => {
    const buyer = { runningRouteIds: routes(4), agreedPercent: null };
    expect(quoteFor(buyer, [month(1), month(99)])).toMatchObject({
      routes: 5,
      needsQuote: false,
      quote: { totalCents: 1900 },
    });
  });

  it("is without volume discount beyond the table, as sales decides about it", () => {
    const buyer = { runningRouteIds: routes(20), agreedPercent: null };
    expect(quoteFor(buyer, [month(99)])).toMatchObject({ routes: 21, needsQuote: true, quote: { totalCents: 1000 } });
    expect(quoteFor(buyer, [month(99)]).quote.lines[0]?.volumeDiscountReason).toBe(null);
  });

  it("needs no quote while nothing is in it", () => {
    const buyer = { runningRouteIds: routes(30), agreedPercent: null };
    expect(quoteFor(buyer, [])).toEqual({
      routes: 30,
      needsQuote: false,
      quote: { lines: [], listCents: 0, discountCents: 0, totalCents: 0 },
    });
  });

  it("is for a visitor that of the order alone", () => {
    expect(quoteFor(visitor, routes(5).map(month))).toMatchObject({ routes: 5, quote: { totalCents: 4750 } });
  });
});

it("An offer is a period at its price of a month", () => {
  const period = {
    id: 5,
    routeId: 3,
    basePriceCents: 4900,
    freshness: "daily",
    popularityPercent: 100,
    overrideCents: null,
  } as Parameters<typeof offerOf>[0];
  expect(offerOf(period)).toEqual({ periodId: 5, routeId: 3, monthlyCents: 6125 });
});
