/** Every URL of the app. */
import { index, prefix, type RouteConfig, route } from "@remix-run/route-config";

const api = prefix("api", [
  route("auth/register", "routes/api/auth/register.ts"),
  route("auth/login", "routes/api/auth/login.ts"),
  route("auth/refresh", "routes/api/auth/refresh.ts"),
  route("auth/logout", "routes/api/auth/logout.ts"),
  route("api-keys", "routes/api/api-keys/index.ts"),
  route("api-keys/generate", "routes/api/api-keys/generate.ts"),
  route("api-keys/export", "routes/api/api-keys/export.ts"),
  route("api-keys/:api_key_id", "routes/api/api-keys/one.ts"),
  route("api-keys/:api_key_id/status", "routes/api/api-keys/status.ts"),
  route("api-usage-logs", "routes/api/api-usage-logs.ts"),
  route("api-routes-data", "routes/api/api-routes-data.ts"),
  route("route-access/all-routes", "routes/api/route-access/all-routes.ts"),
  route("route-access/routes-data", "routes/api/route-access/routes-data.ts"),
  route("route-access/check-access", "routes/api/route-access/check-access.ts"),
  route("subscriptions/calculate-single-route-price", "routes/api/subscriptions/calculate-single-route-price.ts"),
  route("subscriptions/calculate-subscription-price", "routes/api/subscriptions/calculate-subscription-price.ts"),
  route("subscriptions/create-payment-intent", "routes/api/subscriptions/create-payment-intent.ts"),
  route("subscriptions/payment-success", "routes/api/subscriptions/payment-success.ts"),
  route("subscriptions/my-routes", "routes/api/subscriptions/my-routes.ts"),
  route("subscriptions/my-stats", "routes/api/subscriptions/my-stats.ts"),
  route("subscriptions/upcoming-expirations", "routes/api/subscriptions/upcoming-expirations.ts"),
  route("subscriptions/api-call-usage", "routes/api/subscriptions/api-call-usage.ts"),
  route("subscriptions/invoices", "routes/api/subscriptions/invoices.ts"),
  route("subscriptions/:subscription_id/cancel", "routes/api/subscriptions/cancel.ts"),
  route("subscriptions/:subscription_id/resume", "routes/api/subscriptions/resume.ts"),
  route("subscriptions/:subscription_id/auto-renew", "routes/api/subscriptions/auto-renew.ts"),
  route("subscriptions/:subscription_id/renew", "routes/api/subscriptions/renew.ts"),
  route("subscriptions/:subscription_id/change-term", "routes/api/subscriptions/change-term.ts"),
  route("openapi.json", "routes/api/openapi.ts"),
  route("*", "routes/api/not-found.ts"),
]);

const hooks = prefix("hooks", [
  route("stripe", "routes/hooks/stripe.ts"),
  route("health", "routes/hooks/health.ts"),
  route("inngest", "routes/hooks/inngest.ts"),
]);

const docs = [
  route("llms.txt", "routes/docs/llms-txt.ts"),
  route("docs", "routes/docs/layout.tsx", [
    index("routes/docs/index.tsx"),
    route("reference", "routes/docs/reference.tsx"),
    route("reference/:operation", "routes/docs/operation.tsx"),
    route(":guide", "routes/docs/guide.tsx"),
  ]),
];

const testMode = prefix("test-mode", [
  route("clock", "routes/test-mode/clock.ts"),
  route("mailbox.json", "routes/test-mode/mailbox-json.ts"),
  route("mailbox/:message_id", "routes/test-mode/mailbox-html.ts"),
  route("stripe/v1/*", "routes/test-mode/stripe.ts"),
]);

const operations = route("operations", "routes/portal/operations/layout.tsx", [
  index("routes/portal/operations/today.tsx"),
  route("accounts", "routes/portal/operations/accounts/index.tsx"),
  route("accounts/:account_id", "routes/portal/operations/accounts/one.tsx"),
  route("jobs", "routes/portal/operations/jobs/index.tsx"),
  route("jobs/runs", "routes/portal/operations/jobs/runs.tsx"),
  route("mail", "routes/portal/operations/mail/index.tsx"),
  route("support", "routes/portal/operations/support/index.tsx"),
  route("support/:request_id", "routes/portal/operations/support/one.tsx"),
]);

const portal = [
  index("routes/portal/index.tsx"),
  route("register", "routes/portal/register.tsx"),
  route("sign-in", "routes/portal/sign-in.tsx"),
  route("sign-out", "routes/portal/sign-out.ts"),
  route("forgot-password", "routes/portal/forgot-password.tsx"),
  route("verify-email", "routes/portal/verify-email.tsx"),
  route("reset-password", "routes/portal/reset-password.tsx"),
  route("search", "routes/portal/search.ts"),
  route("shortcuts", "routes/portal/shortcuts.ts"),
  route("routes", "routes/portal/routes/index.tsx"),
  route("routes/:route_id", "routes/portal/routes/one.tsx"),
  route("regions", "routes/portal/regions/index.tsx"),
  route("regions/:code", "routes/portal/regions/one.tsx"),
  route("trade-lanes/:code", "routes/portal/trade-lane.tsx"),
  route("route-groups/:code", "routes/portal/route-group.tsx"),
  route("basket", "routes/portal/basket.tsx"),
  route("checkout/:order_id", "routes/portal/checkout/order.tsx"),
  route("checkout/:order_id/return", "routes/portal/checkout/return.ts"),
  route("checkout/:order_id/done", "routes/portal/checkout/done.tsx"),
  route("subscriptions", "routes/portal/subscriptions/index.tsx"),
  route("subscriptions/:subscription_id", "routes/portal/subscriptions/one.tsx"),
  route("api-keys", "routes/portal/api-keys.tsx"),
  route("usage", "routes/portal/usage/index.tsx"),
  route("usage/logs", "routes/portal/usage/logs.tsx"),
  route("usage/logs.csv", "routes/portal/usage/logs-csv.ts"),
  route("billing", "routes/portal/billing/index.tsx"),
  route("billing.csv", "routes/portal/billing/history-csv.ts"),
  route("billing/cards", "routes/portal/billing/cards.tsx"),
  route("billing/cards/new", "routes/portal/billing/new-card.tsx"),
  route("billing/cards/return", "routes/portal/billing/card-return.ts"),
  route("billing/:invoice_id", "routes/portal/billing/invoice.tsx"),
  route("billing/:invoice_id/receipt.pdf", "routes/portal/billing/receipt.ts"),
  route("account", "routes/portal/account/layout.tsx", [
    index("routes/portal/account/profile.tsx"),
    route("security", "routes/portal/account/security.tsx"),
    route("activity", "routes/portal/account/activity.tsx"),
    route("data", "routes/portal/account/data.tsx"),
  ]),
  route("account/export.json", "routes/portal/account/export.ts"),
  route("plan", "routes/portal/plan.tsx"),
  route("support", "routes/portal/support/index.tsx"),
  route("support/new", "routes/portal/support/new.tsx"),
  route("support/:request_id", "routes/portal/support/one.tsx"),
  route("test-mode/mailbox", "routes/portal/test-mode/mailbox.tsx"),
  route("test-mode/time-machine", "routes/portal/test-mode/time-machine.tsx"),
  route("test-mode/authenticate/:intent_id", "routes/portal/test-mode/authenticate.tsx"),
  operations,
  route("*", "routes/portal/not-found.tsx"),
];

export default [...api, ...hooks, ...docs, ...testMode, ...portal] satisfies RouteConfig;
