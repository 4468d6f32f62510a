/** The payment form of test mode: confirms with a test card on the server, as Stripe.js does in the browser. */
import { invalid, Refusal } from "../errors.ts";
import { declineCodeOf, declineInWords } from "./declines.ts";
import type { Simulator } from "./simulator.server.ts";

export type TestCard = { number: string; expMonth: number; expYear: number; cvc: string };

/** `redirect` is the page on which the bank asks the cardholder for authentication. */
type TestPayment = { status: "succeeded" } | { status: "requires_action"; redirect: string };

/**
 * Confirms a payment intent or a setup intent.
 *
 * @param returnUrl where the bank's page sends the browser afterwards
 * @throws invalid with the bank's message when the card is declined, at the field that it concerns, otherwise `number`
 */
export const payWithTestCard = async (
  simulator: Simulator,
  intent: { id: string; clientSecret: string },
  card: TestCard,
  returnUrl: string,
): Promise<TestPayment> => {
  const form = new URLSearchParams({
    client_secret: intent.clientSecret,
    return_url: returnUrl,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": card.number,
    "payment_method_data[card][exp_month]": String(card.expMonth),
    "payment_method_data[card][exp_year]": String(card.expYear),
    "payment_method_data[card][cvc]": card.cvc,
  });
  const kind = intent.id.startsWith("seti_") ? "setup_intents" : "payment_intents";
  const url = new URL(`/test-mode/stripe/v1/${kind}/${intent.id}/confirm`, returnUrl);
  const response = await simulator.confirmFromBrowser(new Request(url, { method: "POST", body: form }));
  const answer = (await response.json()) as {
    status?: string;
    next_action?: { redirect_to_url?: { url?: string } };
    error?: { message?: string; type?: string; code?: string; decline_code?: string; param?: string };
  };
  if (answer.error) {
    const { type, message, param } = answer.error;
    if (type === "card_error") throw invalid(fieldOf(param), declineInWords(declineCodeOf(answer.error)));
    throw new Refusal("conflict", message ?? "The card was not accepted");
  }
  const redirect = answer.next_action?.redirect_to_url?.url;
  if (answer.status === "requires_action" && redirect) return { status: "requires_action", redirect };
  return { status: "succeeded" };
};

const fieldOf = (param: string | undefined): string =>
  param?.includes("exp") ? "expiry" : param?.includes("cvc") ? "cvc" : "number";
