/** Stripe's test cards: their numbers and how they behave. */
import { createHash } from "node:crypto";
import { cardFailure, missingParam } from "./failure.ts";
import type { Params } from "./params.ts";

/** Everything that is stored of a card. Its number never is. */
export type CardFacts = {
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
  fingerprint: string;
  behaviour: Behaviour;
};

export type Decline =
  | "generic_decline"
  | "insufficient_funds"
  | "lost_card"
  | "stolen_card"
  | "expired_card"
  | "incorrect_cvc"
  | "processing_error"
  | "authentication_required";

export type Behaviour =
  | "works"
  | "declined_off_session"
  | "authenticates_until_set_up"
  | "authenticates_always"
  | "disputed"
  | Exclude<Decline, "authentication_required">;

export type Situation = {
  offSession: boolean;
  /** The card was authenticated once for later charges. */
  setUp: boolean;
  /** The cardholder has just approved this payment. */
  authenticated: boolean;
};

export type Outcome =
  | { kind: "succeeds"; disputed: boolean }
  | { kind: "declined"; why: Decline }
  | { kind: "asks_for_authentication" };

export const outcomeOf = (behaviour: Behaviour, { offSession, setUp, authenticated }: Situation): Outcome => {
  switch (behaviour) {
    case "works":
      return { kind: "succeeds", disputed: false };
    case "disputed":
      return { kind: "succeeds", disputed: true };
    case "declined_off_session":
      return offSession ? { kind: "declined", why: "generic_decline" } : { kind: "succeeds", disputed: false };
    case "authenticates_until_set_up":
    case "authenticates_always": {
      const trusted = offSession && setUp && behaviour === "authenticates_until_set_up";
      if (authenticated || trusted) return { kind: "succeeds", disputed: false };
      return offSession ? { kind: "declined", why: "authentication_required" } : { kind: "asks_for_authentication" };
    }
    default:
      return { kind: "declined", why: behaviour };
  }
};

export const declines: Record<Decline, { code: string; message: string }> = {
  generic_decline: { code: "card_declined", message: "Your card was declined." },
  insufficient_funds: { code: "card_declined", message: "Your card has insufficient funds." },
  lost_card: { code: "card_declined", message: "Your card was declined." },
  stolen_card: { code: "card_declined", message: "Your card was declined." },
  expired_card: { code: "expired_card", message: "Your card has expired." },
  incorrect_cvc: { code: "incorrect_cvc", message: "Your card's security code is incorrect." },
  processing_error: {
    code: "processing_error",
    message: "An error occurred while processing your card. Try again in a little bit.",
  },
  authentication_required: {
    code: "authentication_required",
    message: "Your card was declined. This transaction requires authentication.",
  },
};

const numbers: Record<string, { brand: string; behaviour: Behaviour }> = {
  "4242424242424242": { brand: "visa", behaviour: "works" },
  "4000056655665556": { brand: "visa", behaviour: "works" },
  "5555555555554444": { brand: "mastercard", behaviour: "works" },
  "2223003122003222": { brand: "mastercard", behaviour: "works" },
  "378282246310005": { brand: "amex", behaviour: "works" },
  "4000000000000002": { brand: "visa", behaviour: "generic_decline" },
  "4000000000009995": { brand: "visa", behaviour: "insufficient_funds" },
  "4000000000009987": { brand: "visa", behaviour: "lost_card" },
  "4000000000009979": { brand: "visa", behaviour: "stolen_card" },
  "4000000000000069": { brand: "visa", behaviour: "expired_card" },
  "4000000000000127": { brand: "visa", behaviour: "incorrect_cvc" },
  "4000000000000119": { brand: "visa", behaviour: "processing_error" },
  "4000000000000341": { brand: "visa", behaviour: "declined_off_session" },
  "4000000000000259": { brand: "visa", behaviour: "disputed" },
  "4000002500003155": { brand: "visa", behaviour: "authenticates_until_set_up" },
  "4000002760003184": { brand: "visa", behaviour: "authenticates_always" },
  "4000000000003220": { brand: "visa", behaviour: "authenticates_always" },
};

/** Stripe's named test cards. They are accepted wherever a payment method's id is. */
const named: Record<string, string> = {
  pm_card_visa: "4242424242424242",
  pm_card_mastercard: "5555555555554444",
  pm_card_amex: "378282246310005",
  pm_card_visa_chargeDeclined: "4000000000000002",
  pm_card_visa_chargeDeclinedInsufficientFunds: "4000000000009995",
  pm_card_chargeCustomerFail: "4000000000000341",
  pm_card_authenticationRequiredOnSetup: "4000002500003155",
  pm_card_authenticationRequired: "4000002760003184",
  pm_card_createDispute: "4000000000000259",
};

export const namedCard = (id: string, now: Date): CardFacts | null => {
  const number = named[id];
  return number === undefined ? null : factsOf(number, 12, now.getUTCFullYear() + 5);
};

/**
 * Reads `<group>[number]`, `[exp_month]`, `[exp_year]` and `[cvc]`.
 *
 * @throws StripeFailure 400 for a missing or malformed parameter, 402 for a value that no card has
 */
export const readCard = (params: Params, group: string, now: Date): CardFacts => {
  const number = params.required(`${group}[number]`).replace(/[ -]/g, "");
  const month = params.integer(`${group}[exp_month]`);
  const year = params.integer(`${group}[exp_year]`);
  if (month === undefined) throw missingParam(`${group}[exp_month]`);
  if (year === undefined) throw missingParam(`${group}[exp_year]`);
  const fullYear = year < 100 ? 2000 + year : year;
  refuseWrongNumber(number);
  refuseWrongExpiry(month, fullYear, now);
  refuseWrongCvc(params.text(`${group}[cvc]`));
  return factsOf(number, month, fullYear);
};

const factsOf = (number: string, expMonth: number, expYear: number): CardFacts => {
  const known = numbers[number];
  if (known === undefined) {
    throw cardFailure(
      "card_declined",
      "Your card was declined. Your request was in test mode, but used a non test card. " +
        "For a list of valid test cards, visit: https://stripe.com/docs/testing.",
      { decline_code: "test_mode_live_card" },
    );
  }
  const fingerprint = createHash("sha256").update(number).digest("hex").slice(0, 16);
  return { ...known, last4: number.slice(-4), expMonth, expYear, fingerprint };
};

const refuseWrongNumber = (number: string) => {
  if (!/^\d{12,19}$/.test(number)) {
    throw cardFailure("invalid_number", "The card number is not a valid credit card number.", { param: "number" });
  }
  if (!passesLuhn(number)) throw cardFailure("incorrect_number", "Your card number is incorrect.", { param: "number" });
};

const passesLuhn = (number: string): boolean => {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
};

/** A card is valid until the end of its expiry month. */
const refuseWrongExpiry = (month: number, year: number, now: Date) => {
  const thisYear = now.getUTCFullYear();
  if (year < thisYear || year > thisYear + 50) {
    throw cardFailure("invalid_expiry_year", "Your card's expiration year is invalid.", { param: "exp_year" });
  }
  if (month < 1 || month > 12 || (year === thisYear && month < now.getUTCMonth() + 1)) {
    throw cardFailure("invalid_expiry_month", "Your card's expiration month is invalid.", { param: "exp_month" });
  }
};

const refuseWrongCvc = (cvc: string | undefined) => {
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc)) {
    throw cardFailure("invalid_cvc", "Your card's security code is invalid.", { param: "cvc" });
  }
};
