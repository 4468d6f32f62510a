import type { Answer } from "./call.ts";

/** The part of a response that a browser may see: no customer, metadata or charge. */
export const browserView = (answer: Answer): Answer => {
  const { error } = answer.body;
  if (typeof error !== "object" || error === null) return { ...answer, body: publicMembers(answer.body) };
  return { ...answer, body: { error: publicError({ ...error }) } };
};

const publicError = (error: Record<string, unknown>): Record<string, unknown> => {
  const { charge: _charge, ...shown } = error;
  for (const name of ["payment_intent", "setup_intent", "payment_method"]) {
    const value = shown[name];
    if (typeof value === "object" && value !== null) shown[name] = publicMembers({ ...value });
  }
  return shown;
};

const hiddenMembers = new Set([
  "amount_received",
  "application",
  "application_fee_amount",
  "charges",
  "customer",
  "customer_account",
  "latest_charge",
  "metadata",
  "on_behalf_of",
  "payment_record",
  "review",
  "transfer_data",
  "transfer_group",
]);

const publicMembers = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([name]) => !hiddenMembers.has(name))
      .map(([name, value]) =>
        typeof value === "object" && value !== null && /^last_(payment|setup)_error$/.test(name)
          ? [name, publicError({ ...value })]
          : [name, value],
      ),
  );
