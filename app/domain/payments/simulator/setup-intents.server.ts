/** Setup intents, which save a card without a payment. */
import type { Stripe } from "../stripe.server.ts";
import { authenticationPage, refuseWrongSecret, returnUrlOf } from "./authentication.ts";
import { type Answer, type Call, ok } from "./call.ts";
import { type Decline, declines, outcomeOf } from "./cards.ts";
import { badRequest, noSuch } from "./failure.ts";
import { newSetupIntent } from "./objects.ts";
import { insertObject, lockObject, type Stored, updateObject } from "./queries.server.ts";
import { attachTo, givenMethod, refuseUnusable, requireCustomer, requireMethod } from "./wallet.server.ts";

export const createSetupIntent = async (call: Call): Promise<Answer> => {
  const { tx, now, params, newId } = call;
  const customer = params.text("customer") ?? null;
  if (customer !== null) await requireCustomer(call, customer, "customer");
  const method = await givenMethod(call);
  if (method) refuseUnusable(method, customer);
  const id = newId("seti_");
  const setup: Stored<"setup_intent"> = {
    kind: "setup_intent",
    body: newSetupIntent(
      { id, now },
      {
        clientSecret: newId(`${id}_secret_`),
        customer,
        description: params.text("description") ?? null,
        metadata: params.record("metadata"),
        paymentMethod: method?.body.id ?? null,
        usage: params.text("usage") ?? "off_session",
      },
    ),
    hidden: {},
    parentId: customer,
  };
  await insertObject(tx, setup, now);
  return params.flag("confirm") ? attempt(call, setup, method, false) : ok(setup.body);
};

export const getSetupIntent = async (call: Call): Promise<Answer> => ok((await requireSetup(call)).body);

export const confirmSetupIntent = async (call: Call): Promise<Answer> => {
  const setup = await requireSetup(call);
  if (setup.body.status === "succeeded" || setup.body.status === "canceled") {
    throw badRequest(`You cannot confirm this SetupIntent because it has a status of ${setup.body.status}.`, {
      code: "setup_intent_unexpected_state",
      setup_intent: setup.body,
    });
  }
  const savedMethodId = setup.body.payment_method;
  const method =
    (await givenMethod(call)) ??
    (typeof savedMethodId === "string" ? await requireMethod(call, savedMethodId, 400) : null);
  if (method) refuseUnusable(method, customerOf(setup.body));
  return attempt(call, setup, method, false);
};

export const cancelSetupIntent = async (call: Call): Promise<Answer> => {
  const setup = await requireSetup(call);
  if (setup.body.status === "succeeded" || setup.body.status === "canceled") {
    throw badRequest(`You cannot cancel this SetupIntent because it has a status of ${setup.body.status}.`, {
      code: "setup_intent_unexpected_state",
      setup_intent: setup.body,
    });
  }
  const { body } = await put(call, setup, { status: "canceled", next_action: null });
  return ok(body);
};

/** Continues the setup after the cardholder has approved or refused it. */
export const finishSetupAuthentication = async (call: Call, approved: boolean): Promise<Answer> => {
  const setup = await requireSetup(call);
  const methodId = setup.body.payment_method;
  if (setup.body.status !== "requires_action" || typeof methodId !== "string") {
    throw badRequest("This SetupIntent does not wait for authentication.", {
      code: "setup_intent_unexpected_state",
      setup_intent: setup.body,
    });
  }
  const method = await requireMethod(call, methodId, 400);
  if (approved) return attempt(call, setup, method, true);
  const body = await fail(call, setup, {
    type: "invalid_request_error",
    code: "setup_intent_authentication_failure",
    message: "The latest attempt to set up the payment method has failed because authentication failed.",
    payment_method: method.body,
  });
  return ok(body);
};

const requireSetup = async (call: Call): Promise<Stored<"setup_intent">> => {
  const setup = await lockObject(call.tx, "setup_intent", call.id);
  if (!setup) throw noSuch("setupintent", call.id, "intent", 404);
  if (call.fromBrowser || call.params.text("client_secret") !== undefined) {
    refuseWrongSecret(call, setup.body.client_secret, "SetupIntent");
  }
  return setup;
};

const attempt = async (
  call: Call,
  setup: Stored<"setup_intent">,
  method: Stored<"payment_method"> | null,
  authenticated: boolean,
): Promise<Answer> => {
  if (method === null) {
    throw badRequest("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: "setup_intent_unexpected_state",
      setup_intent: setup.body,
    });
  }
  const outcome = outcomeOf(method.hidden.behaviour, { offSession: false, setUp: false, authenticated });
  switch (outcome.kind) {
    case "succeeds":
      return succeed(call, setup, method);
    case "asks_for_authentication":
      return askForAuthentication(call, setup, method);
    case "declined":
      return decline(call, setup, method, outcome.why);
  }
};

const succeed = async (call: Call, setup: Stored<"setup_intent">, method: Stored<"payment_method">) => {
  await attachTo(call, method, customerOf(setup.body), setup.body.usage === "off_session");
  const { body } = await put(call, setup, {
    status: "succeeded",
    payment_method: method.body.id,
    last_setup_error: null,
    next_action: null,
  });
  return ok(body);
};

const askForAuthentication = async (call: Call, setup: Stored<"setup_intent">, method: Stored<"payment_method">) => {
  const url = authenticationPage(call, setup.body.id, setup.body.client_secret ?? "");
  const { body } = await put(call, setup, {
    status: "requires_action",
    payment_method: method.body.id,
    last_setup_error: null,
    next_action: { type: "redirect_to_url", redirect_to_url: { url, return_url: returnUrlOf(call) } },
  });
  return ok(body);
};

const decline = async (
  call: Call,
  setup: Stored<"setup_intent">,
  method: Stored<"payment_method">,
  why: Decline,
): Promise<Answer> => {
  const { code, message } = declines[why];
  const error = { type: "card_error" as const, code, decline_code: why, message, payment_method: method.body };
  const body = await fail(call, setup, error);
  return { status: 402, body: { error: { ...error, setup_intent: body } } };
};

const fail = async (call: Call, setup: Stored<"setup_intent">, error: Stripe.SetupIntent.LastSetupError) => {
  const answer = await put(call, setup, {
    status: "requires_payment_method",
    payment_method: null,
    last_setup_error: error,
    next_action: null,
  });
  await call.emit({ type: "setup_intent.setup_failed", data: { object: answer.body } });
  return answer.body;
};

const put = async (call: Call, setup: Stored<"setup_intent">, change: Partial<Stripe.SetupIntent>) => {
  const body: Stripe.SetupIntent = { ...setup.body, ...change };
  await updateObject(call.tx, { ...setup, body });
  return { status: 200, body };
};

const customerOf = ({ customer }: Stripe.SetupIntent): string | null =>
  typeof customer === "string" ? customer : (customer?.id ?? null);
