/** The headers that pages have in addition to those of every answer (`app/platform/response-headers.ts`). */
import { permissionsPolicy } from "../platform/response-headers.ts";

export type SecurityOptions = {
  /** The nonce of this response, without which inline scripts do not run. */
  nonce: string;
  /** Whether the page is served over HTTPS. */
  https: boolean;
  /** Origins of the payment form: Stripe's, or those of a replacement. */
  payments?: PaymentOrigins | undefined;
  /** The development server replaces styles in place. */
  development?: boolean;
};

export type PaymentOrigins = {
  script: readonly string[];
  frame: readonly string[];
  connect: readonly string[];
  image: readonly string[];
  /** Where the payment of a saved card may lead: the page on which the bank asks for authentication. */
  form: readonly string[];
};

/** What Stripe's form needs, according to its documentation. */
const stripeOrigins: PaymentOrigins = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connect: ["https://api.stripe.com"],
  image: ["https://*.stripe.com"],
  form: ["https://hooks.stripe.com"],
};

/** @param scriptUrl the URL of Stripe.js if it is not Stripe's own */
export const paymentOrigins = (scriptUrl: string | null): PaymentOrigins => {
  if (scriptUrl === null) return stripeOrigins;
  const { origin } = new URL(scriptUrl);
  return { script: [origin], frame: [origin], connect: [origin], image: [origin], form: [origin] };
};

export const pageHeaders = (options: SecurityOptions): Record<string, string> => ({
  "Content-Security-Policy": contentSecurityPolicy(options),
  "Permissions-Policy": permissionsPolicy,
});

const contentSecurityPolicy = ({ nonce, https, payments, development = false }: SecurityOptions): string => {
  const directives: Record<string, readonly string[]> = {
    "default-src": ["'self'"],
    "script-src": ["'self'", `'nonce-${nonce}'`, ...(payments?.script ?? [])],
    "style-src": ["'self'", ...(development ? ["'unsafe-inline'"] : [])],
    "img-src": ["'self'", "data:", ...(payments?.image ?? [])],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...(payments?.connect ?? []), ...(development ? ["ws:"] : [])],
    "frame-src": payments ? payments.frame : ["'none'"],
    "frame-ancestors": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'", ...(payments?.form ?? [])],
    "object-src": ["'none'"],
    ...(https ? { "upgrade-insecure-requests": [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(" "))
    .join("; ");
};
