/** The Stripe endpoints that the simulator supports, with their parameters. */
import { type Answer, type Call, ok } from "./call.ts";
import { noSuch } from "./failure.ts";
import { answerList } from "./list.server.ts";
import {
  cancelPaymentIntent,
  confirmPaymentIntent,
  createPaymentIntent,
  getPaymentIntent,
  listPaymentIntents,
} from "./payment-intents.server.ts";
import { findObject } from "./queries.server.ts";
import {
  closeDispute,
  createRefund,
  getCharge,
  getDispute,
  listDisputes,
  listRefunds,
  updateDispute,
  updateRefund,
} from "./refunds.server.ts";
import { cancelSetupIntent, confirmSetupIntent, createSetupIntent, getSetupIntent } from "./setup-intents.server.ts";
import { createCalculation, listCalculationItems } from "./tax.server.ts";
import {
  attachMethod,
  createCustomer,
  createMethod,
  detachMethod,
  getCustomer,
  getMethod,
  listCustomerMethods,
} from "./wallet.server.ts";

type Route = {
  method: "GET" | "POST";
  path: RegExp;
  work: (call: Call) => Promise<Answer>;
  /** Accepted parameters besides `expand`. */
  params: readonly string[];
  /** Browsers may call it too, with the object's client secret. */
  forBrowsers?: true;
};

export const findRoute = (method: string, path: string): { route: Route; id: string } | null => {
  for (const route of routes) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return { route, id: match[1] ?? "" };
  }
  return null;
};

const getEvent = async ({ tx, id }: Call): Promise<Answer> => {
  const event = await findObject(tx, "event", id);
  if (!event) throw noSuch("event", id, "id", 404);
  return ok(event.body);
};

const paging = ["limit", "starting_after"];
const method = ["payment_method", "payment_method_data", "payment_method_options"];
const confirming = [...method, "off_session", "return_url", "use_stripe_sdk", "mandate_data", "client_secret"];
const describing = ["customer", "description", "metadata", "allowed_payment_method_types", "automatic_payment_methods"];

const routes: Route[] = [
  {
    method: "POST",
    path: /^\/v1\/customers$/,
    work: createCustomer,
    params: ["email", "name", "description", "metadata"],
  },
  { method: "GET", path: /^\/v1\/customers\/(\w+)$/, work: getCustomer, params: [] },
  {
    method: "GET",
    path: /^\/v1\/customers\/(\w+)\/payment_methods$/,
    work: listCustomerMethods,
    params: [...paging, "type"],
  },
  {
    method: "POST",
    path: /^\/v1\/payment_methods$/,
    work: createMethod,
    params: ["type", "card", "billing_details", "metadata"],
  },
  { method: "GET", path: /^\/v1\/payment_methods\/(\w+)$/, work: getMethod, params: [] },
  { method: "POST", path: /^\/v1\/payment_methods\/(\w+)\/attach$/, work: attachMethod, params: ["customer"] },
  { method: "POST", path: /^\/v1\/payment_methods\/(\w+)\/detach$/, work: detachMethod, params: [] },
  {
    method: "POST",
    path: /^\/v1\/payment_intents$/,
    work: createPaymentIntent,
    params: [
      ...describing,
      ...confirming,
      "amount",
      "currency",
      "confirm",
      "setup_future_usage",
      "receipt_email",
      "hooks",
    ],
  },
  {
    method: "GET",
    path: /^\/v1\/payment_intents$/,
    work: listPaymentIntents,
    params: [...paging, "customer"],
  },
  {
    method: "GET",
    path: /^\/v1\/payment_intents\/(\w+)$/,
    work: getPaymentIntent,
    params: ["client_secret"],
    forBrowsers: true,
  },
  {
    method: "POST",
    path: /^\/v1\/payment_intents\/(\w+)\/confirm$/,
    work: confirmPaymentIntent,
    params: [...confirming, "setup_future_usage", "receipt_email"],
    forBrowsers: true,
  },
  {
    method: "POST",
    path: /^\/v1\/payment_intents\/(\w+)\/cancel$/,
    work: cancelPaymentIntent,
    params: ["cancellation_reason"],
  },
  {
    method: "POST",
    path: /^\/v1\/setup_intents$/,
    work: createSetupIntent,
    params: [...describing, ...confirming, "confirm", "usage"],
  },
  {
    method: "GET",
    path: /^\/v1\/setup_intents\/(\w+)$/,
    work: getSetupIntent,
    params: ["client_secret"],
    forBrowsers: true,
  },
  {
    method: "POST",
    path: /^\/v1\/setup_intents\/(\w+)\/confirm$/,
    work: confirmSetupIntent,
    params: confirming,
    forBrowsers: true,
  },
  {
    method: "POST",
    path: /^\/v1\/setup_intents\/(\w+)\/cancel$/,
    work: cancelSetupIntent,
    params: ["cancellation_reason"],
  },
  {
    method: "POST",
    path: /^\/v1\/tax\/calculations$/,
    work: createCalculation,
    params: ["currency", "line_items", "customer_details"],
  },
  {
    method: "GET",
    path: /^\/v1\/tax\/calculations\/(\w+)\/line_items$/,
    work: listCalculationItems,
    params: paging,
  },
  { method: "GET", path: /^\/v1\/charges\/(\w+)$/, work: getCharge, params: [] },
  {
    method: "POST",
    path: /^\/v1\/refunds$/,
    work: createRefund,
    params: ["charge", "payment_intent", "amount", "reason", "metadata"],
  },
  { method: "POST", path: /^\/v1\/refunds\/(\w+)$/, work: updateRefund, params: ["metadata"] },
  { method: "GET", path: /^\/v1\/refunds$/, work: listRefunds, params: [...paging, "charge", "payment_intent"] },
  { method: "GET", path: /^\/v1\/disputes$/, work: listDisputes, params: [...paging, "charge"] },
  { method: "GET", path: /^\/v1\/disputes\/(\w+)$/, work: getDispute, params: [] },
  { method: "POST", path: /^\/v1\/disputes\/(\w+)$/, work: updateDispute, params: ["evidence", "submit", "metadata"] },
  { method: "POST", path: /^\/v1\/disputes\/(\w+)\/close$/, work: closeDispute, params: [] },
  {
    method: "GET",
    path: /^\/v1\/events$/,
    work: (call) => answerList(call, "event", "/v1/events"),
    params: [...paging, "type"],
  },
  { method: "GET", path: /^\/v1\/events\/(\w+)$/, work: getEvent, params: [] },
];
