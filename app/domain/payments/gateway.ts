/**
 * The interface to the payment provider. `stripe.server.ts` implements it with Stripe's SDK. In test mode the same SDK
 * talks to `simulator.server.ts`.
 */
import type { disputeStatuses } from "./enums.ts";

export type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "processing"
  | "requires_capture"
  | "canceled"
  | "succeeded";

export type Card = {
  paymentMethodId: string;
  /** The customer the card is attached to. Null: it was not saved, or has been removed. */
  customerId: string | null;
  brand: string;
  last4: string;
  expMonth: number;
  expYear: number;
};

export type PaymentIntent = {
  id: string;
  status: IntentStatus;
  clientSecret: string;
  amountCents: number;
  currency: string;
  /** From the metadata that we set when we created the intent. */
  orderId: number | null;
  customerId: string | null;
  chargeId: string | null;
  /** When the provider charged the card, by its own clock, in whole seconds. Null unless `succeeded`. */
  chargedAt: Date | null;
  card: Card | null;
  /** Why the last attempt failed: `card_declined`, `insufficient_funds`, `authentication_required` … */
  declineCode: string | null;
};

/**
 * The saved card with which the account holder can confirm the payment again, once the bank has asked for authentication. Null:
 * the payment needs a new card.
 */
export const confirmableCard = ({ status, card }: PaymentIntent): Card | null =>
  card?.customerId && (status === "requires_payment_method" || status === "requires_action") ? card : null;

export type NewIntent = {
  amountCents: number;
  currency: string;
  customerId: string;
  orderId: number;
  /** Save the card for off-session renewals. */
  saveCard: boolean;
  description: string;
  /** The provider's calculation of the tax in the amount. It then records the tax with the payment. */
  taxCalculationId?: string | null;
};

export type OffSessionCharge = Omit<NewIntent, "saveCard"> & { paymentMethodId: string };

/** A setup intent: saves a card without a payment, to replace the card for renewals. */
export type CardSetup = {
  id: string;
  status: Exclude<IntentStatus, "requires_capture">;
  clientSecret: string;
  customerId: string | null;
  /** Known once the status is `succeeded`. */
  card: Card | null;
  declineCode: string | null;
};

/** A dispute of a charge at the cardholder's bank. */
export type ReportedDispute = {
  id: string;
  status: (typeof disputeStatuses)[number];
  /** The bank's reason, in the provider's words. */
  reason: string;
  amountCents: number;
  openedAt: Date;
};

export type PaymentEvent = {
  id: string;
  type: string;
  /** Ids from the event's object. Everything else is fetched from the provider. */
  paymentIntentId: string | null;
  chargeId: string | null;
  cardSetupId: string | null;
};

/** Every method throws `Refusal("unavailable")` when the provider cannot be reached. */
/** What a client needs to confirm a payment intent at the provider, without our server. */
export type PaymentClient = {
  publishableKey: string;
  /** The version of the provider's API in which our intents are made. */
  apiVersion: string;
  /** Of the provider's API, without a trailing slash and without `/v1`. */
  apiUrl: string;
};

export type PaymentGateway = {
  createCustomer(input: { email: string; accountId: number }, idempotencyKey: string): Promise<{ id: string }>;
  createIntent(input: NewIntent, idempotencyKey: string): Promise<PaymentIntent>;
  /** @throws Refusal not_found */
  getIntent(id: string): Promise<PaymentIntent>;
  /**
   * Charges a saved card now, without the customer present. A declined card and a card that needs authentication are
   * results (`requires_payment_method` with a `declineCode`), not errors.
   *
   * @throws Refusal conflict when the card is gone or belongs to another customer; nothing was or will be charged
   */
  chargeOffSession(input: OffSessionCharge, idempotencyKey: string): Promise<PaymentIntent>;
  /**
   * Confirms an intent with a saved card of its customer, who is present. A declined card is a result, not an error, and so
   * is an intent that was paid or cancelled in the meantime.
   *
   * @param input.returnUrl where the bank sends the cardholder after the authentication
   * @returns the intent, and the bank's page if the cardholder has to authenticate the payment there
   * @throws Refusal not_found
   * @throws Refusal conflict when the card is gone or belongs to another customer; nothing was charged
   */
  confirmIntent(input: {
    intentId: string;
    paymentMethodId: string;
    returnUrl: string;
  }): Promise<{ intent: PaymentIntent; authenticationUrl: string | null }>;
  /**
   * Returns the intent in its current state: one that was paid in the meantime stays `succeeded`.
   *
   * @throws Refusal not_found
   */
  cancelIntent(id: string): Promise<PaymentIntent>;
  createCardSetup(input: { customerId: string }, idempotencyKey: string): Promise<CardSetup>;
  /** @throws Refusal not_found */
  getCardSetup(id: string): Promise<CardSetup>;
  /** One that has succeeded or was cancelled stays as it is. @throws Refusal not_found */
  cancelCardSetup(id: string): Promise<void>;
  /** The customer's saved cards, newest first. */
  listCards(customerId: string): Promise<Card[]>;
  /** Detaches a card from its customer permanently. A card that is already detached is not an error. */
  detachCard(paymentMethodId: string): Promise<void>;
  /**
   * Finds the intent of an order, if the provider has one. For a charge whose response was lost.
   *
   * @param input.since when the order was created; only later intents are searched
   */
  findIntent(input: { customerId: string; orderId: number; since: Date }): Promise<PaymentIntent | null>;
  /**
   * Refunds a charge, in full or in part. Repeating the idempotency key returns the same refund.
   *
   * @throws Refusal conflict when the provider refuses: the charge is disputed, or less than the amount is left of it
   */
  refund(input: { chargeId: string; amountCents: number }, idempotencyKey: string): Promise<{ refundId: string }>;
  /** The provider's disputes of a charge, oldest first. */
  listDisputes(chargeId: string): Promise<ReportedDispute[]>;
  /** The provider's refunds of a charge, oldest first, without failed and cancelled ones. */
  listRefunds(chargeId: string): Promise<{ id: string; amountCents: number }[]>;
  /**
   * Verifies and parses a webhook. `now` is used to check the signature's age.
   *
   * @throws Refusal malformed when the signature is not valid
   */
  readEvent(rawBody: string, signature: string, now: Date): Promise<PaymentEvent>;
};
