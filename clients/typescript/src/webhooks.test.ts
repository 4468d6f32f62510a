import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "./webhooks.ts";

const secret = `whsec_${Buffer.from("a secret of thirty-two bytes ....").toString("base64")}`;
const body = JSON.stringify({ type: "route.changed", data: { route_id: 109 } });
// The library compares with the system's clock.
const signed = (at = new Date(performance.timeOrigin + performance.now())) => ({
  "webhook-id": "msg_1",
  "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
  "webhook-signature": new Webhook(secret).sign("msg_1", at, body),
});

it("returns the event of a signed delivery", () => {
  expect(verifyWebhook(body, signed(), secret)).toEqual(JSON.parse(body));
  expect(verifyWebhook(body, new Headers(signed()), secret)).toEqual(JSON.parse(body));
});

it.each([
  ["a changed body", () => [body.replace("109", "110"), signed(), secret] as const],
  ["another secret", () => [body, signed(), `whsec_${Buffer.from("another").toString("base64")}`] as const],
  ["an old delivery", () => [body, signed(new Date("2020-01-01T00:00:00Z")), secret] as const],
  ["missing headers", () => [body, {}, secret] as const],
])("rejects %s", (_, delivery) => {
  expect(() => verifyWebhook(...delivery())).toThrow(WebhookVerificationError);
});
