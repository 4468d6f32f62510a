import { expect, it } from "vitest";
import { testCard } from "./test-card.ts";

const entered = (expiry: string) => testCard.safeParse({ number: "4242 4242 4242 4242", expiry, cvc: " 123 " });

it.each([
  ["12 / 34", 12, 2034],
  ["3/2034", 3, 2034],
  ["03-34", 3, 2034],
  ["1234", 12, 2034],
  ["012034", 1, 2034],
  [" 12 34 ", 12, 2034],
])("reads the expiry %j, also from a keypad that has digits only", (expiry, expMonth, expYear) => {
  expect(entered(expiry).data).toEqual({ number: "4242424242424242", cvc: "123", expMonth, expYear });
});

it.each(["", "13 / 34", "134", "12 / 3", "12 / 1934", "1 2 3 4"])("rejects the expiry %j", (expiry) => {
  expect(entered(expiry).error?.issues).toMatchObject([
    { path: ["expiry"], message: "Enter month and year, for example 12 / 34" },
  ]);
});
