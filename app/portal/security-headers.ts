/** The response headers of every page: what a browser may load, run and tell. */

export type SecurityOptions = {
  /** Of this response; inline scripts without it do not run. */
  nonce: string;
  /** Whether the page itself came over HTTPS. */
  https: boolean;
  /** Further origins, for the payment form: Stripe's, or those of whatever stands in for it. */
  payments?: PaymentOrigins | undefined;
  /** The development server swaps styles in place. */
  development?: boolean;
};

export type PaymentOrigins = {
  script: readonly string[];
  frame: readonly string[];
  connect: readonly string[];
  image: readonly string[];
};

/** What Stripe's own form needs, by its documentation. */
const stripeOrigins: PaymentOrigins = {
  script: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frame: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connect: ["https://api.stripe.com"],
  image: ["https://*.stripe.com"],
};

/** @param scriptUrl where Stripe.js comes from, when not from Stripe */
export const paymentOrigins = (scriptUrl: string | null): PaymentOrigins => {
  if (scriptUrl === null) return stripeOrigins;
  const { origin } = new URL(scriptUrl);
  return { script: [origin], frame: [origin], connect: [origin], image: [origin] };
};

export const securityHeaders = (options: SecurityOptions): Record<string, string> => ({
  "Content-Security-Policy": contentSecurityPolicy(options),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Permissions-Policy": "accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  ...(options.https ? { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" } : {}),
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
    "base-uri": ["'self'"],
    "form-action": ["'self'"],
    "object-src": ["'none'"],
    ...(https ? { "upgrade-insecure-requests": [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(" "))
    .join("; ");
};
