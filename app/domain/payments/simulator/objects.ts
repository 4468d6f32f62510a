/** The simulator's objects in Stripe's format. The SDK's types check their shape. */
import type { Stripe } from "../stripe.server.ts";
import type { Behaviour, CardFacts } from "./cards.ts";

export type Objects = {
  customer: Stripe.Customer;
  payment_method: Stripe.PaymentMethod;
  payment_intent: Stripe.PaymentIntent;
  setup_intent: Stripe.SetupIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  event: Stripe.Event;
  "tax.calculation": Stripe.Tax.Calculation & { id: string };
};
export type Kind = keyof Objects;

/** What the simulator knows about an object but does not return. */
export type Hidden = {
  customer: Record<never, never>;
  payment_method: {
    behaviour: Behaviour;
    /** The cardholder has authenticated it for later charges. */
    setUp: boolean;
    /** It has been used. Without a customer it cannot be used again. */
    used: boolean;
  };
  payment_intent: Record<never, never>;
  setup_intent: Record<never, never>;
  charge: Record<never, never>;
  refund: Record<never, never>;
  dispute: Record<never, never>;
  event: { delivered_at: string | null };
  "tax.calculation": { items: Stripe.Tax.CalculationLineItem[] };
};

/** The events that the service subscribes to. */
export type EventPayload =
  | Pick<Stripe.PaymentIntentSucceededEvent, "type" | "data">
  | Pick<Stripe.PaymentIntentPaymentFailedEvent, "type" | "data">
  | Pick<Stripe.SetupIntentSetupFailedEvent, "type" | "data">
  | Pick<Stripe.ChargeRefundedEvent, "type" | "data">
  | Pick<Stripe.ChargeDisputeCreatedEvent, "type" | "data">
  | Pick<Stripe.ChargeDisputeUpdatedEvent, "type" | "data">
  | Pick<Stripe.ChargeDisputeClosedEvent, "type" | "data">;

export const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

type Creation = { id: string; now: Date };

export const newCustomer = (
  { id, now }: Creation,
  input: { email: string | null; name: string | null; description: string | null; metadata: Stripe.Metadata },
): Stripe.Customer => ({
  id,
  object: "customer",
  address: null,
  balance: 0,
  created: seconds(now),
  currency: null,
  default_source: null,
  delinquent: false,
  description: input.description,
  discount: null,
  email: input.email,
  invoice_prefix: id.slice(-8).toUpperCase(),
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: input.metadata,
  name: input.name,
  next_invoice_sequence: 1,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: "none",
  test_clock: null,
});

const noBillingDetails = { address: null, email: null, name: null, phone: null, tax_id: null };
const cardChecks = { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" };

export const newPaymentMethod = ({ id, now }: Creation, card: CardFacts): Stripe.PaymentMethod => ({
  id,
  object: "payment_method",
  allow_redisplay: "unspecified",
  billing_details: noBillingDetails,
  card: {
    brand: card.brand,
    checks: cardChecks,
    country: "US",
    display_brand: card.brand,
    exp_month: card.expMonth,
    exp_year: card.expYear,
    fingerprint: card.fingerprint,
    funding: "credit",
    generated_from: null,
    last4: card.last4,
    networks: { available: [card.brand], preferred: null },
    regulated_status: "unregulated",
    three_d_secure_usage: { supported: true },
    wallet: null,
  },
  created: seconds(now),
  customer: null,
  customer_account: null,
  livemode: false,
  metadata: {},
  type: "card",
});

type IntentInput = {
  clientSecret: string;
  amount: number;
  currency: string;
  customer: string | null;
  description: string | null;
  metadata: Stripe.Metadata;
  paymentMethod: string | null;
  setupFutureUsage: Stripe.PaymentIntent.SetupFutureUsage | null;
  receiptEmail: string | null;
};

export const newPaymentIntent = ({ id, now }: Creation, input: IntentInput): Stripe.PaymentIntent => ({
  id,
  object: "payment_intent",
  allowed_payment_method_types: ["card"],
  amount: input.amount,
  amount_capturable: 0,
  amount_received: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null,
  cancellation_reason: null,
  capture_method: "automatic_async",
  client_secret: input.clientSecret,
  confirmation_method: "automatic",
  created: seconds(now),
  currency: input.currency,
  customer: input.customer,
  customer_account: null,
  description: input.description,
  excluded_payment_method_types: null,
  last_payment_error: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  metadata: input.metadata,
  next_action: null,
  on_behalf_of: null,
  payment_method: input.paymentMethod,
  payment_method_configuration_details: null,
  payment_method_options: {
    card: { installments: null, mandate_options: null, network: null, request_three_d_secure: "automatic" },
  },
  payment_method_types: ["card"],
  payment_record: null,
  processing: null,
  receipt_email: input.receiptEmail,
  review: null,
  setup_future_usage: input.setupFutureUsage,
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: input.paymentMethod === null ? "requires_payment_method" : "requires_confirmation",
  transfer_data: null,
  transfer_group: null,
});

export const newSetupIntent = (
  { id, now }: Creation,
  input: {
    clientSecret: string;
    customer: string | null;
    description: string | null;
    metadata: Stripe.Metadata;
    paymentMethod: string | null;
    usage: string;
  },
): Stripe.SetupIntent => ({
  id,
  object: "setup_intent",
  allowed_payment_method_types: ["card"],
  application: null,
  automatic_payment_methods: null,
  cancellation_reason: null,
  client_secret: input.clientSecret,
  created: seconds(now),
  customer: input.customer,
  customer_account: null,
  description: input.description,
  excluded_payment_method_types: null,
  flow_directions: null,
  last_setup_error: null,
  latest_attempt: null,
  livemode: false,
  mandate: null,
  metadata: input.metadata,
  next_action: null,
  on_behalf_of: null,
  payment_method: input.paymentMethod,
  payment_method_configuration_details: null,
  payment_method_options: null,
  payment_method_types: ["card"],
  single_use_mandate: null,
  status: input.paymentMethod === null ? "requires_payment_method" : "requires_confirmation",
  usage: input.usage,
});

export const newCharge = (
  { id, now }: Creation,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: { code: string; message: string; reason: string } | null,
): Stripe.Charge => ({
  id,
  object: "charge",
  amount: intent.amount,
  amount_captured: decline ? 0 : intent.amount,
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: decline ? null : `txn_${id.slice(3)}`,
  billing_details: noBillingDetails,
  calculated_statement_descriptor: "SHIPPING ROUTE DATA",
  captured: decline === null,
  created: seconds(now),
  currency: intent.currency,
  customer: intent.customer,
  description: intent.description,
  disputed: false,
  failure_balance_transaction: null,
  failure_code: decline?.code ?? null,
  failure_message: decline?.message ?? null,
  fraud_details: {},
  livemode: false,
  metadata: intent.metadata,
  on_behalf_of: null,
  outcome: {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? "declined_by_network" : "approved_by_network",
    reason: decline?.reason ?? null,
    risk_level: "normal",
    risk_score: 20,
    seller_message: decline ? "The bank declined this payment." : "Payment complete.",
    type: decline ? "issuer_declined" : "authorized",
  },
  paid: decline === null,
  payment_intent: intent.id,
  payment_method: method.id,
  payment_method_details: { type: "card", ...(method.card ? { card: chargedCard(intent, method.card) } : {}) },
  receipt_email: intent.receipt_email,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: decline ? "failed" : "succeeded",
  transfer_data: null,
  transfer_group: null,
});

const chargedCard = (
  intent: Stripe.PaymentIntent,
  card: Stripe.PaymentMethod.Card,
): NonNullable<Stripe.Charge.PaymentMethodDetails["card"]> => ({
  amount_authorized: intent.amount,
  authorization_code: null,
  brand: card.brand,
  checks: cardChecks,
  country: card.country,
  electronic_commerce_indicator: null,
  exp_month: card.exp_month,
  exp_year: card.exp_year,
  fingerprint: card.fingerprint ?? null,
  funding: card.funding,
  installments: null,
  last4: card.last4,
  mandate: null,
  network: card.brand,
  network_transaction_id: null,
  regulated_status: "unregulated",
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
});

export const newRefund = (
  { id, now }: Creation,
  charge: Stripe.Charge,
  input: { amount: number; reason: Stripe.Refund.Reason | null; metadata: Stripe.Metadata },
): Stripe.Refund => ({
  id,
  object: "refund",
  amount: input.amount,
  balance_transaction: `txn_${id.slice(3)}`,
  charge: charge.id,
  created: seconds(now),
  currency: charge.currency,
  customer: charge.customer,
  customer_account: null,
  destination_details: {
    type: "card",
    card: { type: "refund", reference_status: "pending", reference_type: "acquirer_reference_number" },
  },
  metadata: input.metadata,
  payment_intent: charge.payment_intent,
  payment_method: charge.payment_method,
  reason: input.reason,
  receipt_number: null,
  source_transfer_reversal: null,
  status: "succeeded",
  transfer_reversal: null,
});

const disputeDays = 7;

export const newDispute = ({ id, now }: Creation, charge: Stripe.Charge): Stripe.Dispute => ({
  id,
  object: "dispute",
  amount: charge.amount,
  balance_transactions: [],
  charge: charge.id,
  created: seconds(now),
  currency: charge.currency,
  enhanced_eligibility_types: [],
  evidence: {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: null,
    customer_name: null,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  },
  evidence_details: {
    due_by: seconds(now) + disputeDays * 86_400,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: "not_submitted",
  },
  intended_submission_method: null,
  is_charge_refundable: false,
  livemode: false,
  metadata: {},
  payment_intent: charge.payment_intent,
  payment_method_details: {
    type: "card",
    card: { brand: "visa", case_type: "chargeback", network: "visa", network_reason_code: "10.4" },
  },
  reason: "fraudulent",
  status: "needs_response",
});

export const newEvent = (
  { id, now }: Creation,
  payload: EventPayload,
  cause: { apiVersion: string; requestId: string | null; idempotencyKey: string | null },
): Stripe.Event => ({
  id,
  object: "event",
  api_version: cause.apiVersion,
  created: seconds(now),
  livemode: false,
  pending_webhooks: 1,
  request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
  ...payload,
});
