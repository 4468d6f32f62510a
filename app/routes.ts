/** Every URL of the app. Those of the API are the paths of its contracts. */
import { index, prefix, type RouteConfig, route } from "@remix-run/route-config";
import { contracts } from "./api/contracts/all.ts";

/** One file per path, under the path's own name: `/api-keys/{api_key_id}` is `routes/api/api-keys/$api_key_id.ts`. */
const apiRoute = (path: string) =>
  route(path.slice(1).replace(/\{(\w+)\}/g, ":$1"), `routes/api${path.replace(/\{(\w+)\}/g, "$$$1")}.ts`);

const api = prefix("api", [
  ...[...new Set(contracts.map(({ path }) => path))].map(apiRoute),
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
  route("accounts/:account_id", "routes/portal/operations/accounts/account.tsx"),
  route("accounts/:account_id/refund/:invoice_id", "routes/portal/operations/accounts/refund.tsx"),
  route("subscriptions", "routes/portal/operations/subscriptions/index.tsx"),
  route("periods", "routes/portal/operations/periods/index.tsx"),
  route("periods/:period_id", "routes/portal/operations/periods/period.tsx"),
  route("audit", "routes/portal/operations/audit/index.tsx"),
  route("audit.csv", "routes/portal/operations/audit/csv.ts"),
  route("jobs", "routes/portal/operations/jobs/index.tsx"),
  route("jobs/runs", "routes/portal/operations/jobs/runs.tsx"),
  route("mail", "routes/portal/operations/mail/index.tsx"),
  route("support", "routes/portal/operations/support/index.tsx"),
  route("support/:request_id", "routes/portal/operations/support/request.tsx"),
  route("catalogue", "routes/portal/operations/catalogue/index.tsx"),
  route("catalogue/exchange-rates", "routes/portal/operations/catalogue/exchange-rates.tsx"),
  route("catalogue/:kind", "routes/portal/operations/catalogue/records.tsx"),
  route("catalogue/:kind/new", "routes/portal/operations/catalogue/new-record.tsx"),
  route("catalogue/:kind/:record_id", "routes/portal/operations/catalogue/record.tsx"),
  route("import", "routes/portal/operations/import/index.tsx"),
  route("import/upload", "routes/portal/operations/import/upload.ts"),
  route("import/:import_id", "routes/portal/operations/import/import.tsx"),
  route("import/:import_id/findings.csv", "routes/portal/operations/import/findings-csv.ts"),
]);

const portal = [
  index("routes/portal/index.tsx"),
  route("register", "routes/portal/register.tsx"),
  route("sign-in", "routes/portal/sign-in.tsx"),
  route("sign-in/two-factor", "routes/portal/sign-in-two-factor.tsx"),
  route("sign-out", "routes/portal/sign-out.ts"),
  route("forgot-password", "routes/portal/forgot-password.tsx"),
  route("verify-email", "routes/portal/verify-email.tsx"),
  route("reset-password", "routes/portal/reset-password.tsx"),
  route("search", "routes/portal/search.ts"),
  route("shortcuts", "routes/portal/shortcuts.ts"),
  route("routes", "routes/portal/routes/index.tsx"),
  route("routes/:route_id", "routes/portal/routes/route.tsx"),
  route("routes/:route_id/version", "routes/portal/routes/version.ts"),
  route("routes/:route_id/data.json", "routes/portal/routes/data-json.ts"),
  route("routes/:route_id/way.geojson", "routes/portal/routes/geometry-geojson.ts"),
  route("routes/:route_id/schedule", "routes/portal/routes/schedule.tsx"),
  route("routes/:route_id/schedule.csv", "routes/portal/routes/schedule-csv.ts"),
  route("routes/:route_id/periods/:period_id", "routes/portal/routes/period.tsx"),
  route("routes/:route_id/periods/:period_id/reports.csv", "routes/portal/routes/reports-csv.ts"),
  route("routes/:route_id/periods/:period_id/reports.json", "routes/portal/routes/reports-json.ts"),
  route("regions", "routes/portal/regions/index.tsx"),
  route("regions/:code", "routes/portal/regions/region.tsx"),
  route("trade-lanes/:code", "routes/portal/trade-lane.tsx"),
  route("route-groups/:code", "routes/portal/route-group.tsx"),
  route("basket", "routes/portal/basket.tsx"),
  route("checkout/:order_id", "routes/portal/checkout/order.tsx"),
  route("checkout/:order_id/return", "routes/portal/checkout/return.ts"),
  route("checkout/:order_id/done", "routes/portal/checkout/done.tsx"),
  route("subscriptions", "routes/portal/subscriptions/index.tsx"),
  route("subscriptions/:subscription_id", "routes/portal/subscriptions/subscription.tsx"),
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
    route("security/two-factor", "routes/portal/account/two-factor.tsx"),
    route("activity", "routes/portal/account/activity.tsx"),
    route("data", "routes/portal/account/data.tsx"),
    route("close", "routes/portal/account/close.tsx"),
  ]),
  route("account/export.json", "routes/portal/account/export.ts"),
  route("plan", "routes/portal/plan.tsx"),
  route("support", "routes/portal/support/index.tsx"),
  route("support/new", "routes/portal/support/new.tsx"),
  route("support/:request_id", "routes/portal/support/request.tsx"),
  route("test-mode/mailbox", "routes/portal/test-mode/mailbox.tsx"),
  route("test-mode/time-machine", "routes/portal/test-mode/time-machine.tsx"),
  route("test-mode/authenticate/:intent_id", "routes/portal/test-mode/authenticate.tsx"),
  operations,
  route("*", "routes/portal/not-found.tsx"),
];

export default [...api, ...hooks, ...docs, ...testMode, ...portal] satisfies RouteConfig;
