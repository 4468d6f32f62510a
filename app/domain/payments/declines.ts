/**
 * Why a card was not charged, in words for its holder: what happened, and what to do next. Checkout, past-due renewals,
 * mails and the API take their sentences from here.
 */

import type { chargeReasons } from "../../platform/metrics/metrics.ts";

type Decline = {
  /** What happened, as a sentence. */
  what: string;
  /** What to do next, as a sentence. */
  next: string;
};

const declined = { what: "Your card was declined.", next: "Ask your bank why, or pay with another card." };

const overLimit = {
  what: "Your card has reached its limit.",
  next: "Pay with another card, or ask your bank to raise the limit.",
};
const wrongNumber = { what: "The card number is incorrect.", next: "Check it and enter the card again." };
const wrongExpiry = { what: "The expiry date is incorrect.", next: "Check it and enter the card again." };
const wrongCode = {
  what: "The card's security code is incorrect.",
  next: "Check it and enter the card again, or pay with another card.",
};
const notSupported = { what: "Your card does not support this payment.", next: "Pay with another card." };
const bankAway = {
  what: "Your bank could not be reached.",
  next: "Try again in a few minutes, or pay with another card.",
};
const approvalAsked = { what: "Your bank asks you to approve the payment.", next: "Approve it to pay." };
const notApproved = {
  what: "Your bank did not approve the payment.",
  next: "Try again and approve it, or pay with another card.",
};
const processingError = {
  what: "An error occurred while your card was being charged.",
  next: "Try again in a few minutes, or pay with another card.",
};

/** By Stripe's code, or one of ours: `no_card`, `card_gone`, `not_charged`, `requires_action`. */
const declines: Readonly<Record<string, Decline>> = {
  authentication_not_handled: notApproved,
  authentication_required: approvalAsked,
  card_declined: declined,
  card_gone: { what: "The saved card can no longer be charged.", next: "Pay with another card." },
  card_not_supported: notSupported,
  card_velocity_exceeded: overLimit,
  currency_not_supported: notSupported,
  expired_card: { what: "Your card has expired.", next: "Pay with another card." },
  incorrect_cvc: wrongCode,
  incorrect_number: wrongNumber,
  insufficient_funds: {
    what: "Your card has insufficient funds.",
    next: "Add funds and try again, or pay with another card.",
  },
  invalid_cvc: wrongCode,
  invalid_expiry_month: wrongExpiry,
  invalid_expiry_year: wrongExpiry,
  invalid_number: wrongNumber,
  issuer_not_available: bankAway,
  no_card: { what: "No card is saved for renewals.", next: "Pay with a card now." },
  not_charged: { what: "The charge did not reach the payment provider.", next: "You can pay now." },
  payment_intent_authentication_failure: notApproved,
  processing_error: processingError,
  requires_action: approvalAsked,
  setup_intent_authentication_failure: { ...notApproved, what: "Your bank did not approve saving the card." },
  test_mode_live_card: { what: "This is not a test card.", next: "Pay with one of the test cards." },
  try_again_later: bankAway,
  withdrawal_count_limit_exceeded: overLimit,
};

/** Like Stripe, we do not tell whoever holds a card that it was reported lost or stolen. */
const undisclosed = new Set(["lost_card", "stolen_card", "pickup_card", "fraudulent", "merchant_blacklist"]);

/** The code as its holder may see it. Null, when the provider gives none, is `card_declined`. */
export const disclosedCode = (code: string | null): string =>
  code === null || undisclosed.has(code) ? "card_declined" : code;

/** `Your card has insufficient funds. Add funds and try again, or pay with another card.` */
export const declineInWords = (code: string | null): string => {
  const shown = disclosedCode(code);
  const { what, next } = Object.hasOwn(declines, shown) ? (declines[shown] ?? declined) : declined;
  return `${what} ${next}`;
};

/** The most specific code that the provider gives for a failure. `generic_decline` says less than the error's own code. */
export const declineCodeOf = (failure: { code?: string; decline_code?: string } | null): string | null =>
  failure?.decline_code === undefined || failure.decline_code === "generic_decline"
    ? (failure?.code ?? null)
    : failure.decline_code;

const classOf: Readonly<Record<string, DeclineClass>> = {
  insufficient_funds: "insufficient_funds",
  card_velocity_exceeded: "insufficient_funds",
  withdrawal_count_limit_exceeded: "insufficient_funds",
  authentication_required: "authentication_required",
  authentication_not_handled: "authentication_required",
  payment_intent_authentication_failure: "authentication_required",
  requires_action: "authentication_required",
  expired_card: "card_expired",
  invalid_expiry_month: "card_expired",
  invalid_expiry_year: "card_expired",
  no_card: "card_missing",
  card_gone: "card_missing",
  card_declined: "card_declined",
};

export type DeclineClass = Exclude<(typeof chargeReasons)[number], "none">;

/** A few classes for metrics; the provider has many codes, and may add more. */
export const declineClass = (code: string | null): DeclineClass => classOf[disclosedCode(code)] ?? "other";
