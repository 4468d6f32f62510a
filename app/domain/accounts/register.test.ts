import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts } from "#drizzle/schema/index.ts";
import { createWorld, type World } from "../../testing/world.ts";
import { register } from "./register.server.ts";

const origin = { ipAddress: "192.0.2.1", userAgent: "tests" };

let world: World;
beforeAll(async () => {
  world = await createWorld({ catalogue: "empty" });
});
afterAll(() => world.close());

describe("A registration", () => {
  it.each(["123456789012", "Password1234", "harbourmaster2026"])(
    "rejects the guessable password %s",
    async (password) => {
      const input = { email: "harbourmaster@example.com", username: "harbourmaster", password };
      await expect(register(world.ctx, input, origin)).rejects.toMatchObject({
        code: "invalid",
        fields: [{ path: "password", message: expect.stringContaining("Use several words") }],
      });
      expect(await world.ctx.db.$count(accounts, eq(accounts.username, "harbourmaster"))).toBe(0);
    },
  );
});
