/** Closed sets of values. The database's enums are made from them (`drizzle/schema`), so this file imports nothing. */

/** The types that an endpoint can subscribe to, in the order of the documentation. */
export const subscribableTypes = [
  "data.changed",
  "report.added",
  "alert.triggered",
  "subscription.expiring",
  "subscription.expired",
  "subscription.renewed",
  "payment.failed",
  "api_key.created",
  "api_key.revoked",
  "quota.reached_80",
  "quota.reached_100",
] as const;

/** `endpoint.test` is sent on request, to any endpoint. */
export const webhookEventTypes = [...subscribableTypes, "endpoint.test"] as const;

/** `failed`: all attempts failed, or the endpoint was disabled. */
export const deliveryStatuses = ["pending", "delivered", "failed"] as const;

/** `gone`: the endpoint answered 410. `failing`: every attempt failed for days. */
export const disableReasons = ["holder", "gone", "failing"] as const;
