/** The payment gateway for Stripe. Only this file imports the SDK; the simulator takes the SDK's types from here. */
import Stripe from "stripe";
import { allowanceFor, currentOrigin, currentPace, type Pace } from "../../platform/time-budget.server.ts";
import { traceHeaders } from "../../platform/tracing.ts";
import { conflict, notFound, Refusal } from "../errors.ts";
import { declineCodeOf } from "./declines.ts";
import type {
  Card,
  CardSetup,
  IntentStatus,
  NewIntent,
  PaymentClient,
  PaymentEvent,
  PaymentGateway,
  PaymentIntent,
  ReportedDispute,
} from "./gateway.ts";

export type { Stripe };

export type StripeOptions = {
  secretKey: string;
  webhookSecret: string;
  /** Another implementation of Stripe's API, such as `http://localhost:12111`. */
  apiBaseUrl?: string;
  /** Replaces the SDK's HTTP client. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Timeout of a single attempt, at any pace. For tests. */
  timeoutMs?: number;
};

/** The SDK for the present pace: requests wait less than jobs. */
export const stripeSdk = (options: Omit<StripeOptions, "webhookSecret">): (() => Stripe) => {
  const sdks = {
    request: new Stripe(options.secretKey, sdkConfig(options, { timeout: 4_000, maxNetworkRetries: 1 })),
    long_work: new Stripe(options.secretKey, sdkConfig(options, { timeout: 20_000, maxNetworkRetries: 2 })),
  } satisfies Record<Pace, Stripe>;
  return () => sdks[currentPace()];
};

export const stripeGateway = (options: StripeOptions): PaymentGateway => {
  const sdk = stripeSdk(options);
  return {
    createCustomer: ({ email, accountId }, idempotencyKey) =>
      callStripe(async () => {
        const customer = await sdk().customers.create(
          { email, metadata: { account_id: accountId } },
          { idempotencyKey },
        );
        return { id: customer.id };
      }),

    createIntent: (input, idempotencyKey) =>
      callStripe(async () => {
        const { metadata, ...params } = intentParams(input);
        const saving = input.saveCard ? { setup_future_usage: "off_session" as const } : {};
        return toPaymentIntent(
          await sdk().paymentIntents.create(
            { ...params, ...saving, metadata: { ...metadata, ...originMetadata() } },
            { idempotencyKey },
          ),
        );
      }),

    getIntent: (id) =>
      callStripe(async () => {
        if (!/^pi_\w+$/.test(id)) throw notFound("Payment intent");
        return toPaymentIntent(await sdk().paymentIntents.retrieve(id, { expand }));
      }, "Payment intent"),

    chargeOffSession: (input, idempotencyKey) =>
      callStripe(async () => {
        const params = {
          ...intentParams(input),
          payment_method: input.paymentMethodId,
          off_session: true,
          confirm: true,
        };
        try {
          return toPaymentIntent(await sdk().paymentIntents.create(params, { idempotencyKey }));
        } catch (error) {
          if (isCardGone(error)) throw cardGone();
          return toPaymentIntent(intentOfCardError(error));
        }
      }),

    confirmIntent: ({ intentId, paymentMethodId, returnUrl }) =>
      callStripe(async () => {
        const params = { payment_method: paymentMethodId, return_url: returnUrl, expand };
        try {
          const intent = await sdk().paymentIntents.confirm(intentId, params);
          return { intent: toPaymentIntent(intent), authenticationUrl: authenticationUrlOf(intent) };
        } catch (error) {
          if (isCardGone(error)) throw cardGone();
          return { intent: toPaymentIntent(await intentAfter(sdk(), intentId, error)), authenticationUrl: null };
        }
      }, "Payment intent"),

    cancelIntent: (id) =>
      callStripe(async () => {
        if (!/^pi_\w+$/.test(id)) throw notFound("Payment intent");
        try {
          return toPaymentIntent(await sdk().paymentIntents.cancel(id, { expand }));
        } catch (error) {
          if (!isStripeError(error) || error.code !== "payment_intent_unexpected_state") throw error;
          return toPaymentIntent(await sdk().paymentIntents.retrieve(id, { expand }));
        }
      }, "Payment intent"),

    createCardSetup: ({ customerId }, idempotencyKey) =>
      callStripe(async () =>
        toCardSetup(
          await sdk().setupIntents.create(
            {
              customer: customerId,
              usage: "off_session",
              allowed_payment_method_types: ["card"],
              expand: ["payment_method"],
            },
            { idempotencyKey },
          ),
        ),
      ),

    getCardSetup: (id) =>
      callStripe(async () => {
        if (!/^seti_\w+$/.test(id)) throw notFound("Card setup");
        return toCardSetup(await sdk().setupIntents.retrieve(id, { expand: ["payment_method"] }));
      }, "Card setup"),

    cancelCardSetup: (id) =>
      callStripe(async () => {
        try {
          await sdk().setupIntents.cancel(id);
        } catch (error) {
          if (!isStripeError(error) || error.code !== "setup_intent_unexpected_state") throw error;
        }
      }, "Card setup"),

    listCards: (customerId) =>
      callStripe(async () => {
        const list = sdk().customers.listPaymentMethods(customerId, { type: "card", limit: 100 });
        return (await list.autoPagingToArray({ limit: 1_000 })).flatMap((method) => cardOf(method) ?? []);
      }),

    detachCard: (paymentMethodId) =>
      callStripe(async () => {
        try {
          await sdk().paymentMethods.detach(paymentMethodId);
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          if (error.code === "resource_missing") return;
          // Stripe has no error code for a card that was already detached.
          const method = await sdk().paymentMethods.retrieve(paymentMethodId);
          if (method.customer !== null) throw error;
        }
      }),

    findIntent: ({ customerId, orderId, since }) =>
      callStripe(async () => {
        // Allow for some minutes of clock skew.
        const oldest = Math.floor(since.getTime() / 1000) - 600;
        for await (const intent of sdk().paymentIntents.list({ customer: customerId, limit: 100 })) {
          if (intent.created < oldest) break;
          if (orderIdOf(intent.metadata) !== orderId) continue;
          return toPaymentIntent(await sdk().paymentIntents.retrieve(intent.id, { expand }));
        }
        return null;
      }),

    refund: ({ chargeId, amountCents }, idempotencyKey) =>
      callStripe(async () => {
        const params = { charge: chargeId, amount: amountCents };
        const refund = await sdk().refunds.create(params, { idempotencyKey }).catch(throwRefundRefusal);
        await noteOrigin(sdk(), refund.id);
        return { refundId: refund.id };
      }),

    listDisputes: (chargeId) =>
      callStripe(async () => {
        const found = await sdk().disputes.list({ charge: chargeId, limit: 100 }).autoPagingToArray({ limit: 1_000 });
        return found
          .map(({ id, status, reason, amount, created }) => ({
            id,
            status: disputeStatusOf(status),
            reason,
            amountCents: amount,
            openedAt: new Date(created * 1000),
          }))
          .reverse();
      }),

    listRefunds: (chargeId) =>
      callStripe(async () => {
        const refunds = await sdk().refunds.list({ charge: chargeId, limit: 100 }).autoPagingToArray({ limit: 10_000 });
        return refunds
          .filter((refund) => refund.status !== "failed" && refund.status !== "canceled")
          .map((refund) => ({ id: refund.id, amountCents: refund.amount }))
          .reverse();
      }),

    readEvent: async (rawBody, signature, now) => {
      const toleranceSeconds = 300;
      return paymentEventOf(
        await sdk()
          .webhooks.constructEventAsync(
            rawBody,
            signature,
            options.webhookSecret,
            toleranceSeconds,
            undefined,
            now.getTime(),
          )
          .catch(() => {
            throw new Refusal("malformed", "The webhook's signature does not hold");
          }),
      );
    },
  };
};

/** Stripe tells several kinds of open disputes apart; for us, the bank has decided or it has not. */
const disputeStatusOf = (status: Stripe.Dispute.Status): ReportedDispute["status"] => {
  switch (status) {
    case "won":
      return "won";
    case "lost":
      return "lost";
    case "warning_closed":
    case "prevented":
      return "closed";
    default:
      return "open";
  }
};

/** The `Stripe-Signature` header with which Stripe would send this body at this instant. */
export const signWebhook = (rawBody: string, secret: string, at: Date): string =>
  Stripe.webhooks.generateTestHeaderString({ payload: rawBody, secret, timestamp: Math.floor(at.getTime() / 1000) });

/** The version of Stripe's API that the SDK uses. */
export const stripeApiVersion = Stripe.API_VERSION;

export const stripeClient = (publishableKey: string, apiBaseUrl = "https://api.stripe.com"): PaymentClient => ({
  publishableKey,
  apiVersion: stripeApiVersion,
  apiUrl: apiBaseUrl,
});

const expand = ["latest_charge", "payment_method"];

const sdkConfig = (
  { apiBaseUrl, timeoutMs, ...options }: Omit<StripeOptions, "webhookSecret">,
  limits: { timeout: number; maxNetworkRetries: number },
): Stripe.StripeConfig => ({
  ...limits,
  timeout: timeoutMs ?? limits.timeout,
  telemetry: false,
  ...(apiBaseUrl === undefined ? {} : addressOf(new URL(apiBaseUrl))),
  httpClient: traceable(
    options.fetch === undefined
      ? Stripe.createNodeHttpClient()
      : Stripe.createFetchHttpClient(asGlobalFetch(options.fetch)),
  ),
});

type HttpClient = NonNullable<Stripe.StripeConfig["httpClient"]>;

/** Sends the trace that a call belongs to (W3C Trace Context). */
const traceable = (client: HttpClient): HttpClient => {
  const send = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, headers, ...rest) =>
    send(host, port, path, method, { ...headers, ...traceHeaders() }, ...rest);
  return client;
};

const addressOf = (url: URL): Pick<Stripe.StripeConfig, "host" | "port" | "protocol"> => {
  if (url.pathname !== "/") throw new Error("The address of Stripe's API must not have a path: the SDK appends /v1");
  const protocol = url.protocol === "http:" ? "http" : "https";
  return { host: url.hostname, port: url.port || (protocol === "http" ? 80 : 443), protocol };
};

const asGlobalFetch =
  (customFetch: NonNullable<StripeOptions["fetch"]>): typeof fetch =>
  (input, init = {}) =>
    customFetch(input instanceof Request ? input.url : input.toString(), init);

/**
 * Cards only, instead of Stripe's automatic payment methods: access starts at once and renewals are charged off-session,
 * which bank transfers and vouchers do not support. Wallets count as cards, and 3-D Secure works with and without a
 * `return_url`.
 */
const intentParams = (input: Omit<NewIntent, "saveCard">): Stripe.PaymentIntentCreateParams => ({
  amount: input.amountCents,
  currency: input.currency.toLowerCase(),
  customer: input.customerId,
  description: input.description,
  metadata: { order_id: input.orderId },
  ...(input.taxCalculationId ? { hooks: { inputs: { tax: { calculation: input.taxCalculationId } } } } : {}),
  allowed_payment_method_types: ["card"],
  expand,
});

/**
 * Which request opened an order, for whoever looks at its payment in Stripe's dashboard. Only where the idempotency key belongs to
 * one request: with the same key, Stripe refuses other parameters. Renewals and card setups are repeated with theirs.
 */
const originMetadata = (): Record<string, string> => {
  const { requestId = null, job = null } = currentOrigin() ?? {};
  return { ...(requestId === null ? {} : { request_id: requestId }), ...(job === null ? {} : { job }) };
};

/** The same for a refund, which another request may repeat. The refund has been made, so a failure here is none of it. */
const noteOrigin = async (sdk: Stripe, refundId: string): Promise<void> => {
  const metadata = originMetadata();
  if (Object.keys(metadata).length > 0) await sdk.refunds.update(refundId, { metadata }).catch(() => {});
};

/** Timeout of one gateway call, including the SDK's retries or all pages of a list. A request's budget can be shorter. */
const callTimeoutMs: Record<Pace, number> = { request: 8_500, long_work: 120_000 };

const providerUnavailable = () =>
  new Refusal("unavailable", "The payment provider cannot be reached; try again shortly", { retryAfterSeconds: 30 });

/** Calls Stripe within the time budget and translates the errors that the domain has codes for. */
export const callStripe = async <T>(call: () => Promise<T>, what?: string): Promise<T> => {
  try {
    return await allowanceFor("paymentProvider", callTimeoutMs[currentPace()]).spend(call, providerUnavailable);
  } catch (error) {
    if (isUnavailable(error)) {
      throw providerUnavailable();
    }
    if (what !== undefined && isStripeError(error) && error.code === "resource_missing") throw notFound(what);
    throw error;
  }
};

const isStripeError = (error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> =>
  error instanceof Stripe.errors.StripeError;

/** Stripe was not reached, is rate limiting, failed (5xx), or is still processing the same idempotency key (409). */
const isUnavailable = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  error instanceof Stripe.errors.StripeAPIError;

/** Stripe refuses the parameters. */
export const isInvalidRequest = (error: unknown): error is Error =>
  error instanceof Stripe.errors.StripeInvalidRequestError;

const throwRefundRefusal = (error: unknown): never => {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    throw conflict(`The payment provider rejected the refund: ${error.message}`);
  }
  throw error;
};

/** Stripe reports a declined card as an error that contains the intent. */
const intentOfCardError = (error: unknown): Stripe.PaymentIntent => {
  if (error instanceof Stripe.errors.StripeCardError && error.payment_intent) return error.payment_intent;
  throw error;
};

/** The intent that could not be confirmed: its card was declined, or it was paid or cancelled in the meantime. */
const intentAfter = async (sdk: Stripe, id: string, error: unknown): Promise<Stripe.PaymentIntent> =>
  isStripeError(error) && error.code === "payment_intent_unexpected_state"
    ? sdk.paymentIntents.retrieve(id, { expand })
    : intentOfCardError(error);

const authenticationUrlOf = ({ status, next_action }: Stripe.PaymentIntent): string | null =>
  status === "requires_action" ? (next_action?.redirect_to_url?.url ?? null) : null;

const cardGone = () => conflict("The saved card can no longer be charged");

/** The card was detached, or never belonged to this customer. */
const isCardGone = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.param === "payment_method" || error.code === "payment_method_unexpected_state");

const toPaymentIntent = (intent: Stripe.PaymentIntent): PaymentIntent => ({
  id: intent.id,
  status: intentStatus(intent.status),
  clientSecret: intent.client_secret ?? "",
  amountCents: intent.amount,
  currency: intent.currency.toUpperCase(),
  orderId: orderIdOf(intent.metadata),
  customerId: idOf(intent.customer),
  chargeId: idOf(intent.latest_charge),
  chargedAt: intent.status === "succeeded" ? createdAt(intent.latest_charge) : null,
  card: cardOf(intent.payment_method) ?? cardOf(intent.last_payment_error?.payment_method ?? null),
  declineCode: declineCodeOf(intent.last_payment_error),
});

const toCardSetup = (setup: Stripe.SetupIntent): CardSetup => ({
  id: setup.id,
  status: setupStatus(setup.status),
  clientSecret: setup.client_secret ?? "",
  customerId: idOf(setup.customer),
  card: setup.status === "succeeded" ? cardOf(setup.payment_method) : null,
  declineCode: declineCodeOf(setup.last_setup_error),
});

const statuses = {
  requires_payment_method: true,
  requires_confirmation: true,
  requires_action: true,
  processing: true,
  requires_capture: true,
  canceled: true,
  succeeded: true,
} satisfies Record<IntentStatus, true>;

/** Stripe may add statuses. An unknown one must not be treated as a known one. */
const intentStatus = (status: string): IntentStatus => {
  if (Object.hasOwn(statuses, status)) return status as IntentStatus;
  throw new Error(`Stripe answered an unknown status: ${status}`);
};

const setupStatus = (status: string): CardSetup["status"] => {
  const known = intentStatus(status);
  if (known === "requires_capture") throw new Error("A card setup has nothing to capture");
  return known;
};

const orderIdOf = (metadata: Stripe.Metadata): number | null => {
  const text = metadata.order_id;
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : null;
};

const idOf = (reference: string | { id: string } | null | undefined): string | null =>
  typeof reference === "string" ? reference : (reference?.id ?? null);

const createdAt = (charge: string | Stripe.Charge | null): Date | null =>
  charge === null || typeof charge === "string" ? null : new Date(charge.created * 1000);

const cardOf = (method: string | Stripe.PaymentMethod | null): Card | null => {
  if (method === null || typeof method === "string" || !method.card) return null;
  const { brand, last4, exp_month, exp_year } = method.card;
  const customerId = idOf(method.customer);
  return { paymentMethodId: method.id, customerId, brand, last4, expMonth: exp_month, expYear: exp_year };
};

const paymentEventOf = (event: Stripe.Event): PaymentEvent => {
  const { id, type } = event;
  const none = { id, type, paymentIntentId: null, chargeId: null, cardSetupId: null };
  switch (event.type) {
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.canceled": {
      const intent = event.data.object;
      return { ...none, paymentIntentId: intent.id, chargeId: idOf(intent.latest_charge) };
    }
    case "charge.refunded": {
      const charge = event.data.object;
      return { ...none, paymentIntentId: idOf(charge.payment_intent), chargeId: charge.id };
    }
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed": {
      const dispute = event.data.object;
      return { ...none, paymentIntentId: idOf(dispute.payment_intent), chargeId: idOf(dispute.charge) };
    }
    case "setup_intent.setup_failed":
      return { ...none, cardSetupId: event.data.object.id };
    default:
      return none;
  }
};
