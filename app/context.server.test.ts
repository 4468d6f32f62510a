import { expect, it, vi } from "vitest";
import { getService, stop } from "./context.server.ts";
import { cloneDatabase } from "./testing/database.ts";

it("The service is built again after a failed attempt, and then only once", async () => {
  const database = await cloneDatabase();
  vi.stubEnv("SECRETS_KEY", Buffer.alloc(32, "tests").toString("base64"));
  vi.stubEnv("DATABASE_URL", "");
  await expect(getService()).rejects.toThrow("DATABASE_URL is not set");

  vi.stubEnv("DATABASE_URL", database.url);
  const service = await getService();
  expect(await getService()).toBe(service);
  await stop();
  await database.drop();
});
