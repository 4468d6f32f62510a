/** What has changed in the API, newest first: the page `/docs/changelog`, its feed, and the record that tests check against. */

export const changeKinds = ["added", "changed", "deprecated", "removed"] as const;

export type Change = {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  kind: (typeof changeKinds)[number];
  title: string;
  /** For API users: how to use it, or what it means for existing clients. Code is in `backticks`. */
  text: string;
  /** `GET /api-keys`. An endpoint that is new must be in here. */
  endpoints?: readonly string[];
  /** The lines of `surface.txt` that a breaking change ends or adds. Without them the check of the surface fails. */
  breaks?: readonly string[];
};

export const changelog: readonly Change[] = [
  {
    date: "2026-11-23",
    kind: "changed",
    title: "Guessable passwords are rejected",
    text: "`POST /auth/register` returns 422 for common passwords, simple patterns, and passwords made of the account's own username or address. Existing passwords keep working.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Limits of API keys",
    text: "`PUT /api-keys/{api_key_id}/limit` limits the requests per hour with one key. API key documents and their CSV have `hourly_limit`.",
    endpoints: ["PUT /api-keys/{api_key_id}/limit"],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Plans on invoices",
    text: "Plans can be bought in the portal. Their invoices in `GET /subscriptions/invoices` have no `lines`, but a `plan` with its term and price. In the CSV of the billing history, their `order_kind` is `plan`.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Find requests by ID or status class",
    text: "`GET /api-usage-logs` has the filters `request_id`, as in `X-Request-Id` and in every error, and `status_class`, for example `5xx`.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Rotation and expiry of API keys",
    text: "`POST /api-keys/{api_key_id}/rotate` creates a key with the same name and username. The old key works for an overlap that you choose. Set `expires_at` when you create a key, or use `PUT /api-keys/{api_key_id}/expiry`; otherwise keys never expire, as before. `api_key.revoked` has the new reasons `rotated` and `expired`.",
    endpoints: ["POST /api-keys/{api_key_id}/rotate", "PUT /api-keys/{api_key_id}/expiry"],
  },
  {
    date: "2026-11-22",
    kind: "changed",
    title: "Alerts and sailing times",
    text: "`next_departure` of a watched route and the times of a `schedule_slip` have the UTC offset of the port instead of `Z`, and summaries use local dates. A threshold triggers an alert when the figure crosses it, not if the figure is already past it. Bulk reports with `to` before `from` return 422.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Search that tolerates typing errors",
    text: "`q` also finds aliases such as `Saigon` or `far east`, and words with typing errors. `GET /route-access/all-routes` has `sort`, and with `facets=true` it counts the routes for each value of each filter. `GET /catalogue/suggestions` completes ports and port pairs.",
    endpoints: ["GET /catalogue/suggestions"],
  },
  {
    date: "2026-11-22",
    kind: "changed",
    title: "Search results are sorted by relevance",
    text: "`GET /route-access/all-routes` with `q` is sorted by relevance. To keep the order by name, use `sort=name`. Without `q` nothing changes.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Webhooks",
    text: "We send events to your endpoint, signed as in Standard Webhooks: changed data, new reports, subscriptions, failed payments, keys, quota and alerts. With retries for three days, a delivery log and replay.",
    endpoints: [
      "POST /webhooks",
      "GET /webhooks",
      "GET /webhooks/{endpoint_id}",
      "PUT /webhooks/{endpoint_id}",
      "DELETE /webhooks/{endpoint_id}",
      "PUT /webhooks/{endpoint_id}/status",
      "POST /webhooks/{endpoint_id}/rotate-secret",
      "POST /webhooks/{endpoint_id}/test",
      "GET /webhooks/{endpoint_id}/deliveries",
      "GET /webhooks/{endpoint_id}/deliveries/{delivery_id}",
      "POST /webhooks/{endpoint_id}/deliveries/{delivery_id}/replay",
      "POST /webhooks/{endpoint_id}/replay-failed",
    ],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Watchlist and alerts",
    text: "Watch routes and port pairs, and get alerts when rates, space or schedules change.",
    endpoints: [
      "GET /watchlist",
      "POST /watchlist",
      "GET /watchlist/{watch_id}",
      "PUT /watchlist/{watch_id}",
      "DELETE /watchlist/{watch_id}",
      "GET /alerts",
      "POST /alerts/mark-read",
    ],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Comparisons, benchmarks and samples",
    text: "Compare all carriers between two ports, read market rates of a trade lane, and read a sample route of each cargo type without a subscription. Access has the new reason `sample`.",
    endpoints: ["GET /route-access/compare", "GET /route-access/benchmarks"],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Bulk downloads",
    text: "The reports of many routes as JSON, JSON Lines, CSV or Parquet, and the catalogue as CSV. `X-Request-Cost` has the number of requests that a response counts as; in the usage log it is `request_cost`.",
    endpoints: ["GET /route-access/reports", "GET /catalogue/export"],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Route data as of an earlier time",
    text: "With `as_of` you get route data as we knew it at that time. We keep corrected values for 400 days.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Model Context Protocol",
    text: "AI assistants can read the catalogue and subscribed data with the tools of `/mcp`. It accepts an API key or a bearer token, and has the same rate limits and usage log.",
    endpoints: ["POST /mcp"],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Changes of subscribed routes",
    text: "A list to poll, and a stream of server-sent events. Both continue from a cursor, so that you miss no change and get none twice.",
    endpoints: ["GET /route-access/changes", "GET /route-access/updates"],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Clients in TypeScript and Python",
    text: "Both are generated from the OpenAPI document, and have retries, pagination and webhook verification.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Monthly statements",
    text: "Each month's invoices, credit notes and refunds, with totals, as JSON and CSV.",
    endpoints: [
      "GET /subscriptions/statements",
      "GET /subscriptions/statements/{month}",
      "GET /subscriptions/statements/{month}/export",
    ],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Renew, cancel or change several subscriptions",
    text: "One request for up to 100 subscriptions, with a result for each. You can export the billing history as CSV.",
    endpoints: [
      "POST /subscriptions/renew",
      "POST /subscriptions/cancel",
      "PUT /subscriptions/auto-renew",
      "GET /subscriptions/invoices/export",
    ],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Tax in quotes, orders and invoices",
    text: "The new `tax_cents` is the tax on `total_cents`, which is still the price before tax. `amount_cents` is the amount charged.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Your price in the list of routes",
    text: "`price_from` in `GET /route-access/all-routes` is the price that the account pays for one month, discounts included.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Schedules",
    text: "Departures of all subscribed routes with legs, cut-offs and transhipments.",
    endpoints: ["GET /route-access/schedules"],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Filters for route data",
    text: "`report_type`, `service_level` and `equipment_type` select reports of a route.",
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Catalogue records",
    text: "Regions, trade lanes, route groups, ports and carriers, available to every account.",
    endpoints: [
      "GET /catalogue/regions",
      "GET /catalogue/trade-lanes",
      "GET /catalogue/route-groups",
      "GET /catalogue/ports",
      "GET /catalogue/carriers",
    ],
  },
  {
    date: "2026-11-22",
    kind: "added",
    title: "Renewal state and data age",
    text: "`renewal` of a subscription has the amount and date of the next charge, and why a charge failed. `data_as_of`, `next_update_due` and `is_stale` of a period show how old its data is.",
  },
  {
    date: "2026-11-22",
    kind: "changed",
    title: "Timestamps always have milliseconds",
    text: "`2026-11-20T09:30:00Z` became `2026-11-20T09:30:00.000Z`. ISO 8601 parsers read both.",
  },
  {
    date: "2026-11-21",
    kind: "added",
    title: "The API",
    text: "Catalogue, route data, subscriptions, API keys, usage and sign-in.",
    endpoints: [
      "POST /auth/login",
      "POST /auth/refresh",
      "POST /auth/logout",
      "POST /auth/register",
      "POST /api-keys/generate",
      "GET /api-keys",
      "GET /api-keys/{api_key_id}",
      "PUT /api-keys/{api_key_id}/status",
      "DELETE /api-keys/{api_key_id}",
      "GET /api-keys/export",
      "GET /api-usage-logs",
      "GET /api-routes-data",
      "GET /route-access/all-routes",
      "GET /route-access/routes-data",
      "POST /route-access/check-access",
      "POST /subscriptions/calculate-single-route-price",
      "POST /subscriptions/calculate-subscription-price",
      "POST /subscriptions/create-payment-intent",
      "POST /subscriptions/payment-success",
      "GET /subscriptions/my-routes",
      "GET /subscriptions/my-stats",
      "GET /subscriptions/upcoming-expirations",
      "GET /subscriptions/api-call-usage",
      "GET /subscriptions/invoices",
      "POST /subscriptions/{subscription_id}/cancel",
      "POST /subscriptions/{subscription_id}/resume",
      "PUT /subscriptions/{subscription_id}/auto-renew",
      "POST /subscriptions/{subscription_id}/renew",
      "POST /subscriptions/{subscription_id}/change-term",
      "GET /openapi.json",
    ],
  },
];
