import { afterAll, beforeAll, expect, it } from "vitest";
import { createWorld } from "../../testing/world.ts";
import { createEndpoint } from "./manage.server.ts";
import { webhookTransport } from "./transport.server.ts";

let world: Awaited<ReturnType<typeof createWorld>>;
beforeAll(async () => {
  world = await createWorld({ catalogue: "empty" });
});
afterAll(() => world.close());

const setting = /start the service with WEBHOOK_ALLOW_PRIVATE=on$/;

it.each([
  ["https://127.0.0.1/hooks", true],
  ["http://127.0.0.1:8000/hooks", true],
  ["http://10.1.2.3/hooks", true],
  ["https://169.254.169.254/hooks", false],
  ["https://0.0.0.0/hooks", false],
  ["https://name@127.0.0.1/hooks", false],
  ["https://127.0.0.1/hooks#top", false],
  ["https://127.0.0.1:22/hooks", false],
  ["ftp://127.0.0.1/hooks", false],
])("%s is rejected, and the setting is named only if it helps", async (url, helps) => {
  const { caller } = await world.account();
  const ctx = { ...world.ctx, webhooks: webhookTransport({ allowPrivate: false, resolve: async () => [] }) };
  const refusal = await createEndpoint(ctx, caller, {
    url,
    description: "",
    event_types: ["api_key.created"],
  }).then(
    () => null,
    (error: { fields: { path: string; message: string }[] }) => error,
  );
  expect(refusal?.fields).toHaveLength(1);
  expect(refusal?.fields[0]?.path).toBe("url");
  expect(setting.test(refusal?.fields[0]?.message ?? "")).toBe(helps);
});
