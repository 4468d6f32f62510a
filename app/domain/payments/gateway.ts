/**
 * The interface to the payment provider. `stripe.server.ts` implements it with Stripe's SDK. In test mode the same SDK
 * talks to `simulator.server.ts`.
 */
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

export type NewIntent = {
  amountCents: number;
  currency: string;
  customerId: string;
  orderId: number;
  /** Save the card for off-session renewals. */
  saveCard: boolean;
  description: string;
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

export type Charge = {
  id: string;
  paymentIntentId: string | null;
  /** The cardholder has disputed the charge with their bank. */
  disputed: boolean;
};

export type PaymentEvent = {
  id: string;
  type: string;
  /** Ids from the event's object. Everything else is fetched from the provider. */
  paymentIntentId: string | null;
  chargeId: string | null;
};

/** Every method throws `Refusal("unavailable")` when the provider cannot be reached. */
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
   * Returns the intent in its current state: one that was paid in the meantime stays `succeeded`.
   *
   * @throws Refusal not_found
   */
  cancelIntent(id: string): Promise<PaymentIntent>;
  createCardSetup(input: { customerId: string }, idempotencyKey: string): Promise<CardSetup>;
  /** @throws Refusal not_found */
  getCardSetup(id: string): Promise<CardSetup>;
  /** Detaches a card from its customer for good. A card that is already detached is not an error. */
  detachCard(paymentMethodId: string): Promise<void>;
  /**
   * Finds the intent of an order, if the provider has one. For a charge whose response was lost.
   *
   * @param input.since when the order was created; only later intents are searched
   */
  findIntent(input: { customerId: string; orderId: number; since: Date }): Promise<PaymentIntent | null>;
  /** @throws Refusal not_found */
  getCharge(id: string): Promise<Charge>;
  /**
   * Refunds a charge, in full or in part. Repeating the idempotency key returns the same refund.
   *
   * @throws Refusal conflict when the provider refuses: the charge is disputed, or less than the amount is left of it
   */
  refund(input: { chargeId: string; amountCents: number }, idempotencyKey: string): Promise<{ refundId: string }>;
  /** The provider's refunds of a charge, oldest first, without failed and cancelled ones. */
  listRefunds(chargeId: string): Promise<{ id: string; amountCents: number }[]>;
  /**
   * Verifies and parses a webhook. `now` is used to check the signature's age.
   *
   * @throws Refusal malformed when the signature is not valid
   */
  readEvent(rawBody: string, signature: string, now: Date): Promise<PaymentEvent>;
};
