import type { Stripe } from "../stripe.server.ts";
import { authenticationPage, refuseWrongSecret, returnUrlOf } from "./authentication.ts";
import { type Answer, type Call, ok } from "./call.ts";
import { type Decline, declines, type Outcome, outcomeOf } from "./cards.ts";
import { badRequest, noSuch } from "./failure.ts";
import { answerList } from "./list.server.ts";
import { newCharge, newPaymentIntent, seconds } from "./objects.ts";
import { insertObject, lockObject, type Stored, updateObject } from "./queries.server.ts";
import { disputeCharge } from "./refunds.server.ts";
import { requireCalculation } from "./tax.server.ts";
import { attachTo, givenMethod, refuseUnusable, requireCustomer, requireMethod } from "./wallet.server.ts";

export const createPaymentIntent = async (call: Call): Promise<Answer> => {
  const { tx, now, params, newId } = call;
  const confirm = params.flag("confirm");
  if (!confirm) refuseWithoutConfirm(call);
  const customer = params.text("customer") ?? null;
  const amount = readAmount(call);
  const currency = readCurrency(call);
  await requireCalculation(call, amount);
  if (customer !== null) await requireCustomer(call, customer, "customer");
  const method = await givenMethod(call);
  if (method) refuseUnusable(method, customer);
  const id = newId("pi_");
  const intent: Stored<"payment_intent"> = {
    kind: "payment_intent",
    body: newPaymentIntent(
      { id, now },
      {
        clientSecret: newId(`${id}_secret_`),
        amount,
        currency,
        customer,
        description: params.text("description") ?? null,
        metadata: params.record("metadata"),
        paymentMethod: method?.body.id ?? null,
        setupFutureUsage: params.text("setup_future_usage") ?? null,
        receiptEmail: params.text("receipt_email") ?? null,
      },
    ),
    hidden: {},
    parentId: customer,
  };
  await insertObject(tx, intent, now);
  if (!confirm) return ok(intent.body);
  return attempt(call, intent, method, { offSession: params.flag("off_session"), authenticated: false });
};

export const getPaymentIntent = async (call: Call): Promise<Answer> => ok((await requireIntent(call)).body);

export const listPaymentIntents = (call: Call): Promise<Answer> =>
  answerList(call, "payment_intent", "/v1/payment_intents", call.params.text("customer"));

/** The intent's row stays locked until the transaction ends, so that only one of several confirmations charges. */
export const confirmPaymentIntent = async (call: Call): Promise<Answer> => {
  const intent = await requireIntent(call);
  refuseFinished(intent.body);
  const given = await givenMethod(call);
  const savedMethodId = intent.body.payment_method;
  const method = given ?? (typeof savedMethodId === "string" ? await requireMethod(call, savedMethodId, 400) : null);
  if (method) refuseUnusable(method, customerOf(intent.body));
  const setupFutureUsage = call.params.text("setup_future_usage") ?? intent.body.setup_future_usage;
  const body = { ...intent.body, setup_future_usage: setupFutureUsage };
  const offSession = !call.fromBrowser && call.params.flag("off_session");
  return attempt(call, { ...intent, body }, method, { offSession, authenticated: false });
};

export const cancelPaymentIntent = async (call: Call): Promise<Answer> => {
  const intent = await requireIntent(call);
  if (intent.body.status === "succeeded" || intent.body.status === "canceled") {
    throw badRequest(
      `You cannot cancel this PaymentIntent because it has a status of ${intent.body.status}. Only a PaymentIntent with ` +
        "one of the following statuses may be canceled: requires_payment_method, requires_capture, " +
        "requires_confirmation, requires_action, processing.",
      { code: "payment_intent_unexpected_state", payment_intent: intent.body },
    );
  }
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    status: "canceled",
    canceled_at: seconds(call.now),
    cancellation_reason: call.params.text("cancellation_reason") ?? null,
    next_action: null,
  };
  await updateObject(call.tx, { ...intent, body });
  return ok(body);
};

/** Continues the payment after the cardholder has approved or refused it. */
export const finishPaymentAuthentication = async (call: Call, approved: boolean): Promise<Answer> => {
  const intent = await requireIntent(call);
  const methodId = intent.body.payment_method;
  if (intent.body.status !== "requires_action" || typeof methodId !== "string") {
    throw badRequest("This PaymentIntent does not wait for authentication.", {
      code: "payment_intent_unexpected_state",
      payment_intent: intent.body,
    });
  }
  const method = await requireMethod(call, methodId, 400);
  if (approved) return attempt(call, intent, method, { offSession: false, authenticated: true });
  return fail(call, intent, method, {
    code: "payment_intent_authentication_failure",
    message:
      "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
    type: "invalid_request_error",
    payment_method: method.body,
  });
};

const requireIntent = async (call: Call): Promise<Stored<"payment_intent">> => {
  const intent = await lockObject(call.tx, "payment_intent", call.id);
  if (!intent) throw noSuch("payment_intent", call.id, "intent", 404);
  if (call.fromBrowser || call.params.text("client_secret") !== undefined) {
    refuseWrongSecret(call, intent.body.client_secret, "PaymentIntent");
  }
  return intent;
};

const attempt = async (
  call: Call,
  intent: Stored<"payment_intent">,
  method: Stored<"payment_method"> | null,
  { offSession, authenticated }: { offSession: boolean; authenticated: boolean },
): Promise<Answer> => {
  if (method === null) throw missingMethod(intent.body);
  const { behaviour, setUp } = method.hidden;
  const outcome: Outcome = outcomeOf(behaviour, { offSession, setUp, authenticated });
  switch (outcome.kind) {
    case "succeeds":
      return succeed(call, intent, method, outcome.disputed);
    case "asks_for_authentication":
      return askForAuthentication(call, intent, method);
    case "declined":
      return decline(call, intent, method, outcome.why);
  }
};

const succeed = async (
  call: Call,
  intent: Stored<"payment_intent">,
  method: Stored<"payment_method">,
  disputed: boolean,
): Promise<Answer> => {
  const { tx, now, newId } = call;
  const charge = newCharge({ id: newId("ch_"), now }, intent.body, method.body, null);
  await insertObject(tx, { kind: "charge", body: charge, hidden: {}, parentId: intent.body.id }, now);
  const customer = customerOf(intent.body);
  const keep = intent.body.setup_future_usage !== null && customer !== null;
  const owner = keep ? customer : customerOf(method.body);
  await attachTo(call, method, owner, intent.body.setup_future_usage === "off_session");
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    status: "succeeded",
    amount_received: intent.body.amount,
    latest_charge: charge.id,
    payment_method: method.body.id,
    last_payment_error: null,
    next_action: null,
  };
  await updateObject(tx, { ...intent, body });
  await call.emit({ type: "payment_intent.succeeded", data: { object: body } });
  if (disputed) await disputeCharge(call, charge.id);
  return ok(body);
};

const decline = async (
  call: Call,
  intent: Stored<"payment_intent">,
  method: Stored<"payment_method">,
  why: Decline,
): Promise<Answer> => {
  const { tx, now, newId } = call;
  const { code, message } = declines[why];
  const charge = newCharge({ id: newId("ch_"), now }, intent.body, method.body, { code, message, reason: why });
  await insertObject(tx, { kind: "charge", body: charge, hidden: {}, parentId: intent.body.id }, now);
  return fail(
    call,
    { ...intent, body: { ...intent.body, latest_charge: charge.id } },
    method,
    { type: "card_error", code, decline_code: why, message, charge: charge.id, payment_method: method.body },
    402,
  );
};

/** Returns the intent to waiting for a card. The error is returned and stored on the intent, as Stripe does. */
const fail = async (
  call: Call,
  intent: Stored<"payment_intent">,
  method: Stored<"payment_method">,
  error: Stripe.PaymentIntent.LastPaymentError,
  status: 200 | 402 = 200,
): Promise<Answer> => {
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    status: "requires_payment_method",
    payment_method: null,
    last_payment_error: error,
    next_action: null,
  };
  await updateObject(call.tx, { ...intent, body });
  if (!method.hidden.used) await updateObject(call.tx, { ...method, hidden: { ...method.hidden, used: true } });
  await call.emit({ type: "payment_intent.payment_failed", data: { object: body } });
  return status === 200 ? ok(body) : { status, body: { error: { ...error, payment_intent: body } } };
};

const askForAuthentication = async (
  call: Call,
  intent: Stored<"payment_intent">,
  method: Stored<"payment_method">,
): Promise<Answer> => {
  const { id, client_secret } = intent.body;
  const body: Stripe.PaymentIntent = {
    ...intent.body,
    status: "requires_action",
    payment_method: method.body.id,
    last_payment_error: null,
    next_action: {
      type: "redirect_to_url",
      redirect_to_url: { url: authenticationPage(call, id, client_secret ?? ""), return_url: returnUrlOf(call) },
    },
  };
  await updateObject(call.tx, { ...intent, body });
  return ok(body);
};

const customerOf = ({ customer }: { customer: string | { id: string } | null }): string | null =>
  typeof customer === "string" ? customer : (customer?.id ?? null);

const minAmount = 50;
const maxAmount = 99_999_999;

const readAmount = ({ params }: Call): number => {
  params.required("amount");
  const amount = params.integer("amount") ?? 0;
  if (amount < 1) throw badRequest("Invalid positive integer", { code: "parameter_invalid_integer", param: "amount" });
  if (amount < minAmount) {
    throw badRequest("Amount must be at least $0.50 usd", { code: "amount_too_small", param: "amount" });
  }
  if (amount > maxAmount) {
    throw badRequest("Amount must be no more than $999,999.99", { code: "amount_too_large", param: "amount" });
  }
  return amount;
};

const readCurrency = ({ params }: Call): string => {
  const currency = params.required("currency").toLowerCase();
  if (/^[a-z]{3}$/.test(currency)) return currency;
  throw badRequest(`Invalid currency: ${currency}.`, { param: "currency" });
};

const refuseWithoutConfirm = ({ params }: Call) => {
  for (const name of ["off_session", "return_url"]) {
    if (params.text(name) !== undefined) {
      throw badRequest(`The parameter ${name} cannot be passed when confirm is not true.`, { param: name });
    }
  }
};

const refuseFinished = (intent: Stripe.PaymentIntent) => {
  const reasons: Record<string, string> = {
    succeeded: "it has already succeeded after being previously confirmed",
    canceled: "it has a status of canceled",
  };
  const reason = reasons[intent.status];
  if (reason === undefined) return;
  throw badRequest(`You cannot confirm this PaymentIntent because ${reason}.`, {
    code: "payment_intent_unexpected_state",
    payment_intent: intent,
  });
};

const missingMethod = (intent: Stripe.PaymentIntent) =>
  badRequest(
    "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the " +
      "PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment " +
      "method or ConfirmationToken.",
    { code: "payment_intent_unexpected_state", payment_intent: intent },
  );
