import { describe, expect, it } from "vitest";
import { type Behaviour, outcomeOf, readCard, type Situation } from "./cards.ts";
import { StripeFailure } from "./failure.ts";
import { readParams } from "./params.ts";

const now = new Date("2026-03-10T12:00:00Z");

const entered = (card: Record<string, string>) =>
  readCard(
    readParams(
      new URLSearchParams(
        Object.entries({ number: "4242424242424242", exp_month: "12", exp_year: "2030", cvc: "123", ...card }).map(
          ([name, value]) => [`card[${name}]`, value],
        ),
      ),
    ),
    "card",
    now,
  );

const refusal = (card: Record<string, string>) => {
  try {
    entered(card);
    return null;
  } catch (error) {
    if (error instanceof StripeFailure)
      return { status: error.status, code: error.error.code, param: error.error.param };
    throw error;
  }
};

describe("readCard", () => {
  it("returns everything but the card number", () => {
    expect(entered({ number: "4242 4242 4242 4242" })).toEqual({
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2030,
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      behaviour: "works",
    });
  });

  it.each([
    { exp_year: "30", year: 2030 },
    { exp_year: "2026", year: 2026 },
  ])("accepts the year $exp_year", ({ exp_year, year }) => {
    expect(entered({ exp_year }).expYear).toBe(year);
  });

  it("accepts a card until the end of its expiry month", () => {
    expect(refusal({ exp_month: "3", exp_year: "2026" })).toBeNull();
  });

  it.each([
    [{ number: "4242424242424241" }, { status: 402, code: "incorrect_number", param: "number" }],
    [{ number: "4242" }, { status: 402, code: "invalid_number", param: "number" }],
    [{ number: "4000000000000101" }, { status: 402, code: "card_declined", param: undefined }],
    [
      { exp_month: "2", exp_year: "2026" },
      { status: 402, code: "invalid_expiry_month", param: "exp_month" },
    ],
    [{ exp_month: "13" }, { status: 402, code: "invalid_expiry_month", param: "exp_month" }],
    [{ exp_year: "2025" }, { status: 402, code: "invalid_expiry_year", param: "exp_year" }],
    [{ cvc: "12" }, { status: 402, code: "invalid_cvc", param: "cvc" }],
    [{ number: "" }, { status: 400, code: "parameter_missing", param: "card[number]" }],
    [{ exp_month: "" }, { status: 400, code: "parameter_missing", param: "card[exp_month]" }],
    [{ exp_month: "May" }, { status: 400, code: "parameter_invalid_integer", param: "card[exp_month]" }],
  ])("rejects %o", (card, expected) => {
    expect(refusal(card)).toEqual(expected);
  });
});

describe("The outcome of a charge", () => {
  const present: Situation = { offSession: false, setUp: false, authenticated: false };
  const absent: Situation = { ...present, offSession: true };

  it.each<[Behaviour, string, Situation, string]>([
    ["works", "present", present, "succeeds"],
    ["works", "absent", absent, "succeeds"],
    ["declined_off_session", "present", present, "succeeds"],
    ["declined_off_session", "absent", absent, "declined"],
    ["authenticates_until_set_up", "present", present, "asks_for_authentication"],
    ["authenticates_until_set_up", "present, having set it up", { ...present, setUp: true }, "asks_for_authentication"],
    ["authenticates_until_set_up", "present and approving", { ...present, authenticated: true }, "succeeds"],
    ["authenticates_until_set_up", "absent", absent, "declined"],
    ["authenticates_until_set_up", "absent, having set it up", { ...absent, setUp: true }, "succeeds"],
    ["authenticates_always", "present and approving", { ...present, authenticated: true }, "succeeds"],
    ["authenticates_always", "absent, having set it up", { ...absent, setUp: true }, "declined"],
    ["insufficient_funds", "present", present, "declined"],
  ])("is correct for the behaviour %s with the cardholder %s", (behaviour, _holder, situation, expected) => {
    expect(outcomeOf(behaviour, situation).kind).toBe(expected);
  });
});
