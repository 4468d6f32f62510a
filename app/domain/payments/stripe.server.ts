/** Payments by Stripe. The only importer of its SDK; the simulator of test mode takes the SDK's types from here. */
import Stripe from "stripe";
import { allowanceFor, currentPace, type Pace } from "../../platform/time-budget.server.ts";
import { conflict, notFound, Refusal } from "../errors.ts";
import type {
  Card,
  CardSetup,
  IntentStatus,
  NewIntent,
  PaymentEvent,
  PaymentGateway,
  PaymentIntent,
} from "./gateway.ts";

export type { Stripe };

export type StripeOptions = {
  secretKey: string;
  webhookSecret: string;
  /** Another implementation of Stripe's API, such as `http://localhost:12111`. */
  apiBaseUrl?: string;
  /** Speaks HTTP in the SDK's place. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Of one attempt, whoever waits: for tests. */
  timeoutMs?: number;
};

export const stripeGateway = (options: StripeOptions): PaymentGateway => {
  const sdks = {
    request: new Stripe(options.secretKey, sdkConfig(options, { timeout: 4_000, maxNetworkRetries: 1 })),
    long_work: new Stripe(options.secretKey, sdkConfig(options, { timeout: 20_000, maxNetworkRetries: 2 })),
  } satisfies Record<Pace, Stripe>;
  const sdk = () => sdks[currentPace()];
  return {
    createCustomer: ({ email, accountId }, idempotencyKey) =>
      asked(async () => {
        const customer = await sdk().customers.create(
          { email, metadata: { account_id: accountId } },
          { idempotencyKey },
        );
        return { id: customer.id };
      }),

    createIntent: (input, idempotencyKey) =>
      asked(async () =>
        ourIntent(
          await sdk().paymentIntents.create(
            { ...intentParams(input), ...(input.saveCard ? { setup_future_usage: "off_session" } : {}) },
            { idempotencyKey },
          ),
        ),
      ),

    getIntent: (id) =>
      asked(async () => {
        if (!/^pi_\w+$/.test(id)) throw notFound("Payment intent");
        return ourIntent(await sdk().paymentIntents.retrieve(id, { expand }));
      }, "Payment intent"),

    chargeOffSession: (input, idempotencyKey) =>
      asked(async () => {
        const params = {
          ...intentParams(input),
          payment_method: input.paymentMethodId,
          off_session: true,
          confirm: true,
        };
        try {
          return ourIntent(await sdk().paymentIntents.create(params, { idempotencyKey }));
        } catch (error) {
          if (cardIsGone(error)) throw conflict("The saved card can no longer be charged");
          return ourIntent(intentOfCardError(error));
        }
      }),

    cancelIntent: (id) =>
      asked(async () => {
        if (!/^pi_\w+$/.test(id)) throw notFound("Payment intent");
        try {
          return ourIntent(await sdk().paymentIntents.cancel(id, { expand }));
        } catch (error) {
          if (!isStripeError(error) || error.code !== "payment_intent_unexpected_state") throw error;
          return ourIntent(await sdk().paymentIntents.retrieve(id, { expand }));
        }
      }, "Payment intent"),

    createCardSetup: ({ customerId }, idempotencyKey) =>
      asked(async () =>
        ourSetup(
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
      asked(async () => {
        if (!/^seti_\w+$/.test(id)) throw notFound("Card setup");
        return ourSetup(await sdk().setupIntents.retrieve(id, { expand: ["payment_method"] }));
      }, "Card setup"),

    detachCard: (paymentMethodId) =>
      asked(async () => {
        try {
          await sdk().paymentMethods.detach(paymentMethodId);
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          if (error.code === "resource_missing") return;
          // Detached before: Stripe has no code for it.
          const method = await sdk().paymentMethods.retrieve(paymentMethodId);
          if (method.customer !== null) throw error;
        }
      }),

    findIntent: ({ customerId, orderId, since }) =>
      asked(async () => {
        // The clocks of both sides may differ by some minutes.
        const oldest = Math.floor(since.getTime() / 1000) - 600;
        for await (const intent of sdk().paymentIntents.list({ customer: customerId, limit: 100 })) {
          if (intent.created < oldest) break;
          if (orderIdOf(intent.metadata) !== orderId) continue;
          return ourIntent(await sdk().paymentIntents.retrieve(intent.id, { expand }));
        }
        return null;
      }),

    getCharge: (id) =>
      asked(async () => {
        if (!/^(ch|py)_\w+$/.test(id)) throw notFound("Charge");
        const charge = await sdk().charges.retrieve(id);
        return { id: charge.id, paymentIntentId: idOf(charge.payment_intent), disputed: charge.disputed };
      }, "Charge"),

    refund: ({ chargeId, amountCents }, idempotencyKey) =>
      asked(async () => {
        const asked = { charge: chargeId, amount: amountCents };
        const refund = await sdk().refunds.create(asked, { idempotencyKey }).catch(refusedRefund);
        return { refundId: refund.id };
      }),

    listRefunds: (chargeId) =>
      asked(async () => {
        const refunds = await sdk().refunds.list({ charge: chargeId, limit: 100 }).autoPagingToArray({ limit: 10_000 });
        return refunds
          .filter((refund) => refund.status !== "failed" && refund.status !== "canceled")
          .map((refund) => ({ id: refund.id, amountCents: refund.amount }))
          .reverse();
      }),

    readEvent: async (rawBody, signature, now) => {
      const toleranceSeconds = 300;
      return spokenOf(
        await sdks.request.webhooks
          .constructEventAsync(rawBody, signature, options.webhookSecret, toleranceSeconds, undefined, now.getTime())
          .catch(() => {
            throw new Refusal("malformed", "The webhook's signature does not hold");
          }),
      );
    },
  };
};

/** The `Stripe-Signature` header with which Stripe would send this body at this moment. */
export const signWebhook = (rawBody: string, secret: string, at: Date): string =>
  Stripe.webhooks.generateTestHeaderString({ payload: rawBody, secret, timestamp: Math.floor(at.getTime() / 1000) });

/** The version of Stripe's API that the SDK speaks. */
export const stripeApiVersion = Stripe.API_VERSION;

const expand = ["latest_charge", "payment_method"];

const sdkConfig = (
  { apiBaseUrl, timeoutMs, ...options }: StripeOptions,
  limits: { timeout: number; maxNetworkRetries: number },
): Stripe.StripeConfig => ({
  ...limits,
  timeout: timeoutMs ?? limits.timeout,
  telemetry: false,
  ...(apiBaseUrl === undefined ? {} : addressOf(new URL(apiBaseUrl))),
  ...(options.fetch === undefined ? {} : { httpClient: Stripe.createFetchHttpClient(asGlobalFetch(options.fetch)) }),
});

const addressOf = (url: URL): Pick<Stripe.StripeConfig, "host" | "port" | "protocol"> => {
  if (url.pathname !== "/") throw new Error("The address of Stripe's API must not have a path: the SDK appends /v1");
  const protocol = url.protocol === "http:" ? "http" : "https";
  return { host: url.hostname, port: url.port || (protocol === "http" ? 80 : 443), protocol };
};

const asGlobalFetch =
  (ours: NonNullable<StripeOptions["fetch"]>): typeof fetch =>
  (input, init = {}) =>
    ours(input instanceof Request ? input.url : input.toString(), init);

/**
 * Cards only, and not Stripe's automatic choice: access is given at once and renewals are charged off-session, which
 * bank transfers and vouchers cannot keep up with. Wallets count as cards, and 3-D Secure works with and without a
 * `return_url`.
 */
const intentParams = (input: Omit<NewIntent, "saveCard">): Stripe.PaymentIntentCreateParams => ({
  amount: input.amountCents,
  currency: input.currency.toLowerCase(),
  customer: input.customerId,
  description: input.description,
  metadata: { order_id: input.orderId },
  allowed_payment_method_types: ["card"],
  expand,
});

/** Of one question, where no request's budget says less: all attempts of the SDK, or all pages of a list. */
const patienceMs: Record<Pace, number> = { request: 8_500, long_work: 120_000 };

const providerAway = () =>
  new Refusal("unavailable", "The payment provider cannot be reached; try again shortly", { retryAfterSeconds: 30 });

/** Runs a question to Stripe and translates the answers that the domain has words for. */
const asked = async <T>(ask: () => Promise<T>, what?: string): Promise<T> => {
  try {
    return await allowanceFor("paymentProvider", patienceMs[currentPace()]).spend(ask, providerAway);
  } catch (error) {
    if (isAway(error)) {
      throw providerAway();
    }
    if (what !== undefined && isStripeError(error) && error.code === "resource_missing") throw notFound(what);
    throw error;
  }
};

const isStripeError = (error: unknown): error is InstanceType<typeof Stripe.errors.StripeError> =>
  error instanceof Stripe.errors.StripeError;

/** Not reached, too busy, broken (5xx), or still at work on the same idempotency key (409). */
const isAway = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  error instanceof Stripe.errors.StripeAPIError;

const refusedRefund = (error: unknown): never => {
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    throw conflict(`The payment provider refuses the refund: ${error.message}`);
  }
  throw error;
};

/** A refused card comes as an error that carries the intent. */
const intentOfCardError = (error: unknown): Stripe.PaymentIntent => {
  if (error instanceof Stripe.errors.StripeCardError && error.payment_intent) return error.payment_intent;
  throw error;
};

/** Detached by its holder, or never this customer's. */
const cardIsGone = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError &&
  (error.param === "payment_method" || error.code === "payment_method_unexpected_state");

const ourIntent = (intent: Stripe.PaymentIntent): PaymentIntent => ({
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
  declineCode: reasonOf(intent.last_payment_error),
});

const ourSetup = (setup: Stripe.SetupIntent): CardSetup => ({
  id: setup.id,
  status: setupStatus(setup.status),
  clientSecret: setup.client_secret ?? "",
  customerId: idOf(setup.customer),
  card: setup.status === "succeeded" ? cardOf(setup.payment_method) : null,
  declineCode: reasonOf(setup.last_setup_error),
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

/** Stripe's list of statuses is open; one that we do not know must not pass for one that we do. */
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

const reasonOf = (failure: { code?: string; decline_code?: string } | null): string | null =>
  failure?.decline_code === undefined || failure.decline_code === "generic_decline"
    ? (failure?.code ?? null)
    : failure.decline_code;

const spokenOf = (event: Stripe.Event): PaymentEvent => {
  const { id, type } = event;
  switch (event.type) {
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.canceled": {
      const intent = event.data.object;
      return { id, type, paymentIntentId: intent.id, chargeId: idOf(intent.latest_charge) };
    }
    case "charge.refunded": {
      const charge = event.data.object;
      return { id, type, paymentIntentId: idOf(charge.payment_intent), chargeId: charge.id };
    }
    case "charge.dispute.created": {
      const dispute = event.data.object;
      return { id, type, paymentIntentId: idOf(dispute.payment_intent), chargeId: idOf(dispute.charge) };
    }
    default:
      return { id, type, paymentIntentId: null, chargeId: null };
  }
};
