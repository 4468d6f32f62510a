import { expect, it } from "vitest";
import {
  contactSales,
  customPricingInWords,
  needsSales,
  renewalVolumeDiscount,
  routesInWords,
  volumeDiscount,
  volumeDiscountsInWords,
  volumeReasonInWords,
} from "./volume-discount.ts";

it.each([
  [0, 0],
  [1, 0],
  [5, 5],
  [11, 10],
  [20, 10],
  [21, 10],
  [500, 10],
])("A renewal with %i running routes gets a discount of %i percent", (routes, percent) => {
  expect(renewalVolumeDiscount(routes).percent).toBe(percent);
});

it.each([
  [20, 30, 10],
  [21, 30, 30],
  [21, null, 10],
])("A renewal with %i running routes and %s percent agreed gets %i percent", (routes, agreed, percent) => {
  const discount = renewalVolumeDiscount(routes, agreed);
  expect(discount.percent).toBe(percent);
  expect(discount.reason?.kind).toBe(percent === 30 ? "agreed" : "tier");
});

it("An agreement does not replace the table", () => {
  expect(volumeDiscount(20, 30)).toEqual({ percent: 10, reason: { kind: "tier", fromRoutes: 11, toRoutes: 20 } });
  expect(volumeDiscount(21, 30)).toEqual({ percent: 30, reason: { kind: "agreed" } });
});

it.each([
  [20, null, false],
  [21, null, true],
  [21, 0, false],
  [500, 30, false],
])("An order of %i routes with %s percent agreed needs sales: %s", (routes, agreed, expected) => {
  expect(needsSales(routes, agreed)).toBe(expected);
});

it("A refusal names the page that requests a quote, if there is one", () => {
  expect(contactSales()).toMatchObject({ code: "invalid", salesPath: null });
  expect(contactSales("/quotes/new")).toMatchObject({
    message: "Custom pricing: contact sales",
    salesPath: "/quotes/new",
  });
});

it("A range of routes is put in words", () => {
  expect(routesInWords({ fromRoutes: 5, toRoutes: 10 })).toBe("5 to 10 routes");
  expect(routesInWords({ fromRoutes: 5, toRoutes: 5 })).toBe("5 routes");
  expect(routesInWords({ fromRoutes: 11, toRoutes: null })).toBe("11 routes or more");
  expect(customPricingInWords).toBe("21 routes or more");
});

it("A discount's reason is put in words", () => {
  expect(volumeReasonInWords({ kind: "tier", fromRoutes: 5, toRoutes: 10 })).toBe("for 5 to 10 routes");
  expect(volumeReasonInWords({ kind: "agreed" })).toBe("as agreed");
  expect(volumeReasonInWords({ kind: "quote", quoteId: 12 })).toBe("of quote 12");
});

it("The table is put in words", () => {
  expect(volumeDiscountsInWords).toBe(
    "5 to 10 routes: 5% off. 11 to 20 routes: 10% off. 21 routes or more: custom pricing.",
  );
});
