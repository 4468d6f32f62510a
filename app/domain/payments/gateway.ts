/**
 * What the service needs of a payment provider. `stripe.server.ts` fulfils it with Stripe's SDK; in test mode the
 * same SDK talks to `simulator.server.ts`.
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
  /** Whose it is to charge; null when it was not saved, or has been removed. */
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
  /** As we wrote it when the intent was made. */
  orderId: number | null;
  customerId: string | null;
  chargeId: string | null;
  /** When the provider charged the card, by its own clock, in whole seconds; null unless `succeeded`. */
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
  /** Keep the card for off-session renewals. */
  saveCard: boolean;
  description: string;
};

export type OffSessionCharge = Omit<NewIntent, "saveCard"> & { paymentMethodId: string };

/** The saving of a card without a payment, to replace the one that renewals are charged to. */
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
  /** By the card's holder, at the bank. */
  disputed: boolean;
};

export type PaymentEvent = {
  id: string;
  type: string;
  /** Of the object the event speaks about, read from the event; everything else is asked of the provider. */
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
   * Charges a saved card now, without the customer. A declined card and one that asks for its holder are answers
   * (`requires_payment_method` with a `declineCode`), not errors.
   *
   * @throws Refusal conflict when the card is gone or somebody else's; nothing was charged then, and nothing will be
   */
  chargeOffSession(input: OffSessionCharge, idempotencyKey: string): Promise<PaymentIntent>;
  /**
   * Answers the intent as it then is: one that was paid in the meantime is still `succeeded`.
   *
   * @throws Refusal not_found
   */
  cancelIntent(id: string): Promise<PaymentIntent>;
  createCardSetup(input: { customerId: string }, idempotencyKey: string): Promise<CardSetup>;
  /** @throws Refusal not_found */
  getCardSetup(id: string): Promise<CardSetup>;
  /** Takes a card away from its customer, for ever. One that is gone already is no failure. */
  detachCard(paymentMethodId: string): Promise<void>;
  /**
   * The intent that was made for an order, if the provider has one: for a charge whose answer was lost.
   *
   * @param input.since when the order was written; only later intents are looked through
   */
  findIntent(input: { customerId: string; orderId: number; since: Date }): Promise<PaymentIntent | null>;
  /** @throws Refusal not_found */
  getCharge(id: string): Promise<Charge>;
  /**
   * Gives a charge back, wholly or in part. The same key again is the same refund.
   *
   * @throws Refusal conflict when the provider refuses: more than is left of it, or disputed
   */
  refund(input: { chargeId: string; amountCents: number }, idempotencyKey: string): Promise<{ refundId: string }>;
  /** The provider's refunds of a charge, oldest first, without those that failed or were withdrawn. */
  listRefunds(chargeId: string): Promise<{ id: string; amountCents: number }[]>;
  /**
   * `now` is what the signature's age is measured against.
   *
   * @throws Refusal malformed when the signature does not hold
   */
  readEvent(rawBody: string, signature: string, now: Date): Promise<PaymentEvent>;
};
