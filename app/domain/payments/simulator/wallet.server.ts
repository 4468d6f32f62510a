/** Customers and their saved cards. */
import type { Stripe } from "../stripe.server.ts";
import { type Answer, type Call, ok } from "./call.ts";
import { type CardFacts, declines, namedCard, outcomeOf, readCard } from "./cards.ts";
import { badRequest, cardFailure, noSuch } from "./failure.ts";
import { answerList } from "./list.server.ts";
import { newCustomer, newPaymentMethod } from "./objects.ts";
import { findObject, insertObject, lockObject, type Stored, updateObject } from "./queries.server.ts";

export const createCustomer = async ({ tx, now, params, newId }: Call): Promise<Answer> => {
  const email = params.text("email") ?? null;
  if (email !== null && !/^[^@\s]+@[^@\s]+$/.test(email)) {
    throw badRequest(`Invalid email address: ${email}`, { code: "email_invalid", param: "email" });
  }
  const body = newCustomer(
    { id: newId("cus_"), now },
    {
      email,
      name: params.text("name") ?? null,
      description: params.text("description") ?? null,
      metadata: params.record("metadata"),
    },
  );
  await insertObject(tx, { kind: "customer", body, hidden: {}, parentId: null }, now);
  return ok(body);
};

export const getCustomer = async ({ tx, id }: Call): Promise<Answer> => {
  const customer = await findObject(tx, "customer", id);
  if (!customer) throw noSuch("customer", id, "id", 404);
  return ok(customer.body);
};

export const listCustomerMethods = async (call: Call): Promise<Answer> => {
  await requireCustomer(call, call.id, "customer");
  return answerList(call, "payment_method", `/v1/customers/${call.id}/payment_methods`, call.id);
};

export const createMethod = async (call: Call): Promise<Answer> => ok((await methodFrom(call, "")).body);

export const getMethod = async ({ tx, id, now }: Call): Promise<Answer> => {
  const method = await findObject(tx, "payment_method", id);
  if (method) return ok(method.body);
  const card = namedCard(id, now);
  if (!card) throw noSuch("PaymentMethod", id, "payment_method", 404);
  return ok(newPaymentMethod({ id, now }, card));
};

export const attachMethod = async (call: Call): Promise<Answer> => {
  const customer = call.params.required("customer");
  await requireCustomer(call, customer, "customer");
  const method = await requireMethod(call, call.id, 404);
  refuseForeign(method.body, customer);
  const outcome = outcomeOf(method.hidden.behaviour, { offSession: false, setUp: false, authenticated: true });
  if (outcome.kind === "declined") {
    const { code, message } = declines[outcome.why];
    throw cardFailure(code, message, { decline_code: outcome.why });
  }
  return ok(await attachTo(call, method, customer, method.hidden.setUp));
};

export const detachMethod = async (call: Call): Promise<Answer> => {
  const method = await lockObject(call.tx, "payment_method", call.id);
  if (!method) throw noSuch("PaymentMethod", call.id, "payment_method", 404);
  if (method.body.customer === null) {
    throw badRequest("The payment method you provided is not attached to a customer so detachment is impossible.");
  }
  const body = { ...method.body, customer: null };
  await updateObject(call.tx, { ...method, body, hidden: { ...method.hidden, used: true }, parentId: null });
  return ok(body);
};

export const requireCustomer = async ({ tx }: Call, id: string, param: string): Promise<void> => {
  if (!(await findObject(tx, "customer", id))) throw noSuch("customer", id, param);
};

/** The payment method from the parameters, locked: by id (`payment_method`) or by its data (`payment_method_data`). */
export const givenMethod = async (call: Call): Promise<Stored<"payment_method"> | null> => {
  const id = call.params.text("payment_method");
  if (id !== undefined) return requireMethod(call, id, 400);
  return call.params.hasGroup("payment_method_data") ? methodFrom(call, "payment_method_data") : null;
};

/** A stored payment method, locked, or a new one made from a named test card. */
export const requireMethod = async (call: Call, id: string, status: 400 | 404): Promise<Stored<"payment_method">> => {
  const method = await lockObject(call.tx, "payment_method", id);
  if (method) return method;
  const card = namedCard(id, call.now);
  if (!card) throw noSuch("PaymentMethod", id, "payment_method", status);
  return storeCard(call, card);
};

/** @throws StripeFailure when the method belongs to another customer, or was already used without being attached to one */
export const refuseUnusable = (method: Stored<"payment_method">, customer: string | null): void => {
  refuseForeign(method.body, customer);
  if (method.body.customer === null && method.hidden.used) {
    throw badRequest(
      "The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a " +
        "connected account without Customer attachment, or was detached from a Customer. It may not be used again. To " +
        "use a PaymentMethod multiple times, you must attach it to a Customer first.",
      { param: "payment_method" },
    );
  }
};

/** Marks the method as used and attaches it to the customer, if any. */
export const attachTo = async (
  { tx }: Call,
  method: Stored<"payment_method">,
  customer: string | null,
  setUp: boolean,
): Promise<Stripe.PaymentMethod> => {
  const body = { ...method.body, customer };
  const hidden = { ...method.hidden, setUp: method.hidden.setUp || setUp, used: true };
  await updateObject(tx, { ...method, body, hidden, parentId: customer });
  return body;
};

const refuseForeign = (method: Stripe.PaymentMethod, customer: string | null) => {
  if (method.customer !== null && method.customer !== customer) {
    throw badRequest(
      `The payment method you provided (${method.id}) belongs to another customer, or to a customer where none was given.`,
      { param: "payment_method" },
    );
  }
};

const methodFrom = (call: Call, group: string): Promise<Stored<"payment_method">> => {
  const type = call.params.required(group === "" ? "type" : `${group}[type]`);
  if (type !== "card") {
    throw badRequest(`The payment method type "${type}" is invalid here: only cards are taken.`, { param: "type" });
  }
  return storeCard(call, readCard(call.params, group === "" ? "card" : `${group}[card]`, call.now));
};

const storeCard = async ({ tx, now, newId }: Call, card: CardFacts): Promise<Stored<"payment_method">> => {
  const method: Stored<"payment_method"> = {
    kind: "payment_method",
    body: newPaymentMethod({ id: newId("pm_"), now }, card),
    hidden: { behaviour: card.behaviour, setUp: false, used: false },
    parentId: null,
  };
  await insertObject(tx, method, now);
  return method;
};
