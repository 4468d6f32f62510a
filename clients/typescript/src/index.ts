export {
  type ClientOptions,
  createShippingRouteClient,
  type Environment,
  type PagedPath,
  type ShippingRouteClient,
} from "./client.ts";
export type { Credentials } from "./credentials.ts";
export { ApiError, ConnectionError } from "./errors.ts";
export { apiVersion } from "./operations.ts";
export type { components, paths } from "./schema.ts";
export { verifyWebhook, WebhookVerificationError } from "./webhooks.ts";
