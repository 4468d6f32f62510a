/** Charges, refunds and disputes. */
import type { Stripe } from "../stripe.server.ts";
import { type Answer, type Call, ok } from "./call.ts";
import { badRequest, missingParam, noSuch } from "./failure.ts";
import { answerList } from "./list.server.ts";
import { newDispute, newRefund } from "./objects.ts";
import { findObject, insertObject, lockObject, type Stored, updateObject } from "./queries.server.ts";

export const getCharge = async ({ tx, id }: Call): Promise<Answer> => {
  const charge = await findObject(tx, "charge", id);
  if (!charge) throw noSuch("charge", id, "id", 404);
  return ok(charge.body);
};

export const createRefund = async (call: Call): Promise<Answer> => {
  const { tx, now, params, newId } = call;
  const charge = await lockCharge(call, await refundedChargeId(call));
  const amount = refundableAmount(charge.body, params.integer("amount"));
  const body = newRefund({ id: newId("re_"), now }, charge.body, {
    amount,
    reason: params.text("reason") ?? null,
    metadata: params.record("metadata"),
  });
  await insertObject(tx, { kind: "refund", body, hidden: {}, parentId: charge.body.id }, now);
  const amountRefunded = charge.body.amount_refunded + amount;
  const refunded: Stripe.Charge = {
    ...charge.body,
    amount_refunded: amountRefunded,
    refunded: amountRefunded === charge.body.amount,
  };
  await updateObject(tx, { ...charge, body: refunded });
  await call.emit({ type: "charge.refunded", data: { object: refunded } });
  return ok(body);
};

export const updateRefund = async ({ tx, id, params }: Call): Promise<Answer> => {
  const refund = await findObject(tx, "refund", id);
  if (!refund) throw noSuch("refund", id, "id", 404);
  const body = { ...refund.body, metadata: { ...refund.body.metadata, ...params.record("metadata") } };
  await updateObject(tx, { ...refund, body });
  return ok(body);
};

export const listRefunds = async (call: Call): Promise<Answer> => {
  const chargeFilter = call.params.text("charge") ?? call.params.text("payment_intent");
  return answerList(
    call,
    "refund",
    "/v1/refunds",
    chargeFilter === undefined ? undefined : await refundedChargeId(call),
  );
};

/** The cardholder disputes the charge with their bank. */
export const disputeCharge = async (call: Call, chargeId: string): Promise<Answer> => {
  const { tx, now, newId } = call;
  const charge = await lockCharge(call, chargeId);
  if (charge.body.status !== "succeeded" || charge.body.disputed) {
    throw badRequest(`Charge ${chargeId} cannot be disputed.`, { param: "charge" });
  }
  await updateObject(tx, { ...charge, body: { ...charge.body, disputed: true } });
  const body = newDispute({ id: newId("du_"), now }, charge.body);
  await insertObject(tx, { kind: "dispute", body, hidden: {}, parentId: chargeId }, now);
  await call.emit({ type: "charge.dispute.created", data: { object: body } });
  return ok(body);
};

export const getDispute = async ({ tx, id }: Call): Promise<Answer> => {
  const dispute = await findObject(tx, "dispute", id);
  if (!dispute) throw noSuch("dispute", id, "id", 404);
  return ok(dispute.body);
};

export const listDisputes = (call: Call): Promise<Answer> =>
  answerList(call, "dispute", "/v1/disputes", call.params.text("charge"));

/**
 * Evidence against the dispute. As in Stripe's test mode, its text decides: `winning_evidence` or `losing_evidence`.
 * Anything else is kept for the bank to review.
 */
export const updateDispute = async (call: Call): Promise<Answer> => {
  const text = call.params.record("evidence").uncategorized_text ?? "";
  const outcome = { winning_evidence: "won", losing_evidence: "lost" } as const;
  const decided = Object.entries(outcome).find(([evidence]) => evidence === text)?.[1];
  const reviewed = await setDisputeStatus(call, call.id, "under_review");
  return decided ? endDispute(call, call.id, decided) : ok(reviewed);
};

/** Accepts the dispute as lost. */
export const closeDispute = (call: Call): Promise<Answer> => endDispute(call, call.id, "lost");

export const endDispute = async (
  call: Call,
  id: string,
  status: "won" | "lost" | "warning_closed",
): Promise<Answer> => {
  const body = await setDisputeStatus(call, id, status);
  await call.emit({ type: "charge.dispute.closed", data: { object: body } });
  return ok(body);
};

const setDisputeStatus = async (call: Call, id: string, status: Stripe.Dispute.Status): Promise<Stripe.Dispute> => {
  const { tx } = call;
  const dispute = await lockObject(tx, "dispute", id);
  if (!dispute) throw noSuch("dispute", id, "id", 404);
  if (["won", "lost", "warning_closed"].includes(dispute.body.status)) {
    throw badRequest(`Dispute ${id} is already closed.`, { param: "dispute" });
  }
  const body: Stripe.Dispute = { ...dispute.body, status };
  await updateObject(tx, { ...dispute, body });
  if (status === "under_review") await call.emit({ type: "charge.dispute.updated", data: { object: body } });
  return body;
};

const lockCharge = async ({ tx }: Call, id: string): Promise<Stored<"charge">> => {
  const charge = await lockObject(tx, "charge", id);
  if (!charge) throw noSuch("charge", id, "charge");
  return charge;
};

const refundedChargeId = async ({ tx, params }: Call): Promise<string> => {
  const charge = params.text("charge");
  if (charge !== undefined) return charge;
  const intentId = params.text("payment_intent");
  if (intentId === undefined) throw missingParam("charge");
  const intent = await findObject(tx, "payment_intent", intentId);
  if (!intent) throw noSuch("payment_intent", intentId, "payment_intent");
  const latest = intent.body.latest_charge;
  if (typeof latest === "string") return latest;
  throw badRequest(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
    param: "payment_intent",
  });
};

const refundableAmount = (charge: Stripe.Charge, requested: number | undefined): number => {
  if (charge.status !== "succeeded") {
    throw badRequest(`Charge ${charge.id} did not succeed and cannot be refunded.`, { param: "charge" });
  }
  if (charge.disputed) {
    throw badRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, { code: "charge_disputed" });
  }
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    throw badRequest(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  }
  const amount = requested ?? left;
  if (amount < 1) throw badRequest("Invalid positive integer", { code: "parameter_invalid_integer", param: "amount" });
  if (amount > left) {
    throw badRequest(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: "amount",
    });
  }
  return amount;
};
