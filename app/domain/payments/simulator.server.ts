/**
 * Simulates Stripe's API for test mode. It serves the unmodified SDK, stores its objects in PostgreSQL and sends signed
 * webhooks. No money moves.
 */
import { ClientGone } from "../../platform/client-gone.ts";
import { bodyUpTo } from "../../platform/request-body.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound } from "../errors.ts";
import { browserView } from "./simulator/browser-view.ts";
import type { Answer, Call } from "./simulator/call.ts";
import { expandAnswer } from "./simulator/expand.server.ts";
import { StripeFailure } from "./simulator/failure.ts";
import { expiryLimit, oncePerKey } from "./simulator/idempotency.server.ts";
import { newEvent } from "./simulator/objects.ts";
import { readParams } from "./simulator/params.ts";
import { finishPaymentAuthentication } from "./simulator/payment-intents.server.ts";
import { deleteRequests, findObject, insertObject } from "./simulator/queries.server.ts";
import { createRefund, disputeCharge, endDispute } from "./simulator/refunds.server.ts";
import { findRoute } from "./simulator/routes.server.ts";
import { finishSetupAuthentication } from "./simulator/setup-intents.server.ts";
import { createWebhooks, type Deliver } from "./simulator/webhooks.server.ts";
import { stripeApiVersion } from "./stripe.server.ts";

export type SimulatorOptions = {
  webhookSecret: string;
  /** Delivers a webhook to the service, as a POST to its endpoint would. */
  deliver: Deliver;
  /** The site's own address, without a trailing slash. */
  baseUrl: string;
  /** The secret key that requests must send. Unset: any test key (`sk_test_…`). */
  secretKey?: string;
  /** Delays before the retries of a webhook that was not accepted. */
  retryDelaysMs?: readonly number[];
};

export type PendingAuthentication = {
  /** Null when a card is saved without a payment. */
  payment: { amountCents: number; currency: string; description: string | null } | null;
  card: { brand: string; last4: string } | null;
};

export type Simulator = {
  /** Handles a request to `…/v1/…` with a secret key. */
  fetch(request: Request): Promise<Response>;
  /** Handles a browser's request, authorized by the intent's `client_secret` instead of a key. */
  confirmFromBrowser(request: Request): Promise<Response>;
  /**
   * What the cardholder is asked to approve.
   *
   * @throws Refusal not_found
   */
  pendingAuthentication(intentId: string, clientSecret: string): Promise<PendingAuthentication>;
  /**
   * The cardholder's answer. `returnUrl` is where the browser goes next, with Stripe's parameters in its query.
   *
   * @throws Refusal not_found, conflict
   */
  completeAuthentication(
    intentId: string,
    clientSecret: string,
    approve: boolean,
  ): Promise<{ status: string; returnUrl: string | null }>;
  /** Opens a dispute on behalf of the cardholder. @throws Refusal conflict */
  openDispute(chargeId: string): Promise<{ id: string }>;
  /** The bank decides a dispute, or closes it without a decision. @throws Refusal conflict */
  endDispute(disputeId: string, outcome: "won" | "lost" | "warning_closed"): Promise<void>;
  /** Refunds a charge, in full or in part. @throws Refusal conflict */
  refundCharge(chargeId: string, amountCents?: number): Promise<{ id: string }>;
  /** Resends undelivered events and deletes expired idempotency keys. For startup. @returns how many events were resent */
  redeliver(): Promise<number>;
  /** Resolves when no webhook delivery is running. */
  idle(): Promise<void>;
  /** Finishes the running delivery attempt and starts no other. For shutdown. */
  stop(): Promise<void>;
};

type Work = (call: Call) => Promise<Answer>;

export const createSimulator = (
  ctx: Pick<Context, "db" | "clock" | "random" | "log">,
  options: SimulatorOptions,
): Simulator => {
  const webhooks = createWebhooks(ctx, { retryDelaysMs: [250, 1_000, 4_000, 15_000], ...options });
  const newId = (prefix: string) => prefix + randomText(ctx, 24);

  /** Runs the work in one transaction, and sends its events after the commit. */
  const run = async (incoming: Incoming, work: Work): Promise<Answer & { replayed: boolean }> => {
    const now = ctx.clock.now();
    const eventIds: string[] = [];
    const answer = await ctx.db.transaction((tx) => {
      const call: Call = {
        tx,
        now,
        newId,
        baseUrl: options.baseUrl,
        ...incoming,
        emit: async (payload) => {
          const { requestId, key } = incoming;
          const id = newId("evt_");
          const cause = { apiVersion: stripeApiVersion, requestId, idempotencyKey: key };
          const body = newEvent({ id, now }, payload, cause);
          await insertObject(tx, { kind: "event", body, hidden: { delivered_at: null }, parentId: null }, now);
          eventIds.push(id);
        },
      };
      return oncePerKey(tx, { ...incoming, now }, () => work(call));
    });
    webhooks.send(eventIds);
    return answer;
  };

  const respond = async (request: Request, fromBrowser: boolean): Promise<Response> => {
    const requestId = newId("req_");
    try {
      if (!fromBrowser) refuseWrongKey(request, options.secretKey);
      const incoming = await readRequest(request, requestId, fromBrowser);
      const found = findRoute(incoming.method, incoming.path);
      if (!found || (fromBrowser && !found.route.forBrowsers)) throw unknownUrl(incoming);
      if (!fromBrowser) incoming.params.allowOnly([...found.route.params, "expand"]);
      const answer = await run({ ...incoming, id: found.id }, async (call) =>
        expandAnswer(call.tx, await found.route.work(call), fromBrowser ? [] : call.params.list("expand")),
      );
      return jsonResponse(fromBrowser ? browserView(answer) : answer, requestId, answer.replayed);
    } catch (error) {
      const answer = answerOfFailure(ctx, error, requestId);
      return jsonResponse(fromBrowser ? browserView(answer) : answer, requestId, false);
    }
  };

  const runInternally = async (
    id: string,
    params: Record<string, string>,
    work: Work,
  ): Promise<Record<string, unknown>> => {
    const query = readParams(new URLSearchParams(params));
    const incoming = { method: "POST", path: "", body: "", key: null, requestId: null, params: query };
    try {
      return (await run({ ...incoming, id, fromBrowser: false }, work)).body;
    } catch (error) {
      if (error instanceof StripeFailure) throw conflict(error.message);
      throw error;
    }
  };

  const requireIntent = async (id: string, clientSecret: string) => {
    const kind = id.startsWith("seti_") ? "setup_intent" : "payment_intent";
    const intent = await findObject(ctx.db, kind, id);
    if (!intent || intent.body.client_secret !== clientSecret) throw notFound("Payment");
    return intent.body;
  };

  return {
    fetch: (request) => respond(request, false),
    confirmFromBrowser: (request) => respond(request, true),

    pendingAuthentication: async (intentId, clientSecret) => {
      const intent = await requireIntent(intentId, clientSecret);
      const methodId = typeof intent.payment_method === "string" ? intent.payment_method : null;
      const method = methodId === null ? null : await findObject(ctx.db, "payment_method", methodId);
      if (intent.status !== "requires_action") throw notFound("Payment");
      const card = method?.body.card;
      const payment =
        intent.object === "payment_intent"
          ? { amountCents: intent.amount, currency: intent.currency.toUpperCase(), description: intent.description }
          : null;
      return { payment, card: card ? { brand: card.brand, last4: card.last4 } : null };
    },

    completeAuthentication: async (intentId, clientSecret, approve) => {
      const intent = await requireIntent(intentId, clientSecret);
      const finish = intent.object === "setup_intent" ? finishSetupAuthentication : finishPaymentAuthentication;
      const body = await runInternally(intentId, {}, (call) => finish(call, approve));
      const returnUrl = intent.next_action?.redirect_to_url?.return_url ?? null;
      return {
        status: String(body.status),
        returnUrl: returnUrl === null ? null : withRedirectStatus(returnUrl, intent, body.status === "succeeded"),
      };
    },

    openDispute: async (chargeId) => {
      const dispute = await runInternally("", {}, (call) => disputeCharge(call, chargeId));
      return { id: String(dispute.id) };
    },

    endDispute: async (disputeId, outcome) => {
      await runInternally("", {}, (call) => endDispute(call, disputeId, outcome));
    },

    refundCharge: async (charge, amountCents) => {
      const amount: Record<string, string> = amountCents === undefined ? {} : { amount: String(amountCents) };
      const refund = await runInternally("", { charge, ...amount }, createRefund);
      return { id: String(refund.id) };
    },

    redeliver: async () => {
      await deleteRequests(ctx.db, expiryLimit(ctx.clock.now()));
      return webhooks.redeliver();
    },
    idle: webhooks.idle,
    stop: webhooks.stop,
  };
};

type Incoming = Pick<Call, "params" | "id" | "fromBrowser"> & {
  method: string;
  path: string;
  body: string;
  key: string | null;
  requestId: string | null;
};

const readRequest = async (request: Request, requestId: string, fromBrowser: boolean): Promise<Incoming> => {
  const url = new URL(request.url);
  const bodyBytes = request.method === "POST" ? await bodyUpTo(maxRequestBytes, request) : null;
  if (request.method === "POST" && !bodyBytes) throw tooLarge();
  const body = bodyBytes ? new TextDecoder().decode(bodyBytes) : url.search;
  return {
    method: request.method,
    path: url.pathname.slice(Math.max(0, url.pathname.indexOf("/v1/"))),
    body,
    key: request.method === "POST" && !fromBrowser ? request.headers.get("Idempotency-Key") : null,
    requestId,
    id: "",
    fromBrowser,
    params: readParams(new URLSearchParams(body)),
  };
};

/** Many times the size of any request that the SDK or a browser sends. */
const maxRequestBytes = 256 * 1024;

const tooLarge = () =>
  new StripeFailure(413, { type: "invalid_request_error", message: "The request is larger than 256 KB" });

const refuseWrongKey = (request: Request, expected: string | undefined) => {
  const key = apiKeyOf(request.headers.get("Authorization"));
  if (key === null) {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.",
    );
  }
  if (expected === undefined ? !key.startsWith("sk_test_") : key !== expected) {
    throw unauthorized(`Invalid API Key provided: ${key.slice(0, 8)}****`);
  }
};

const apiKeyOf = (authorization: string | null): string | null => {
  const [scheme, value] = authorization?.split(" ") ?? [];
  if (value === undefined) return null;
  if (scheme?.toLowerCase() === "bearer") return value;
  return scheme?.toLowerCase() === "basic" ? Buffer.from(value, "base64").toString().replace(/:.*$/s, "") : null;
};

const unauthorized = (message: string) => new StripeFailure(401, { type: "invalid_request_error", message });

const unknownUrl = ({ method, path }: Incoming) =>
  new StripeFailure(404, {
    type: "invalid_request_error",
    message: `Unrecognized request URL (${method}: ${path}). The simulator of test mode answers only what this service uses.`,
  });

const answerOfFailure = (ctx: Pick<Context, "log">, error: unknown, requestId: string): Answer => {
  if (error instanceof StripeFailure) return { status: error.status, body: { error: error.error } };
  // A closed connection is not an error; nobody reads the answer.
  if (error instanceof ClientGone) return { status: 400, body: {} };
  ctx.log.error("The payment simulator failed", { requestId }, error);
  return { status: 500, body: { error: { type: "api_error", message: "An unknown error occurred" } } };
};

const jsonResponse = ({ status, body }: Answer, requestId: string, replayed: boolean): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "Request-Id": requestId,
      "Stripe-Version": stripeApiVersion,
      // A retry would fail the same way, so tell the SDK not to make one.
      ...(status >= 500 ? { "Stripe-Should-Retry": "false" } : {}),
      ...(replayed ? { "Idempotent-Replayed": "true" } : {}),
    },
  });

const withRedirectStatus = (
  returnUrl: string,
  { id, object, client_secret }: { id: string; object: string; client_secret: string | null },
  succeeded: boolean,
): string => {
  const url = new URL(returnUrl);
  url.searchParams.set(object, id);
  url.searchParams.set(`${object}_client_secret`, client_secret ?? "");
  url.searchParams.set("redirect_status", succeeded ? "succeeded" : "failed");
  return url.href;
};

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Uniformly distributed letters and digits: bytes that would cause modulo bias are discarded. */
const randomText = (ctx: Pick<Context, "random">, length: number): string => {
  const limit = 256 - (256 % alphabet.length);
  let text = "";
  while (text.length < length) {
    for (const byte of ctx.random.bytes(length)) if (byte < limit) text += alphabet.charAt(byte % alphabet.length);
  }
  return text.slice(0, length);
};
