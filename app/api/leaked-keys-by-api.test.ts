import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { outboxMessages } from "#drizzle/schema/index.ts";
import { allActivity } from "../domain/accounts/activity.server.ts";
import { issueKey } from "../domain/api-keys/issue.server.ts";
import { writeSecret } from "../domain/api-keys/secret.ts";
import { secretPattern } from "../domain/api-keys/secret-pattern.ts";
import { memoryRateLimiter } from "../domain/rate-limit/memory.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const report = (api_key: unknown, url?: string) =>
  call(world, "POST", "/leaked-keys", { body: { api_key, ...(url === undefined ? {} : { url }) } });
const read = (secret: string) => call(world, "GET", "/api-routes-data?id=2147483647", { key: { secret, user: "me" } });

it("A found key is revoked at once, and its account is told once", async () => {
  const { account, caller, token } = await world.account();
  const { secret, id } = await issueKey(world.ctx, caller, { api_key_name: "Rate sync", user: "me" });
  const other = await issueKey(world.ctx, caller, { api_key_name: "Other", user: "me" });
  expect(secret).toMatch(new RegExp(`^${secretPattern}$`));
  expect((await read(secret)).status).toBe(404);

  const url = "https://git.example.com/rates/.env";
  const answers = [await report(` ${secret}\n`, url), await report(secret, url)];
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, { received: true }],
    [200, { received: true }],
  ]);
  expect((await read(secret)).status).toBe(401);
  expect((await read(other.secret)).status).toBe(404);
  expect((await call(world, "GET", `/api-keys/${id}`, { token })).status).toBe(404);

  const sent = await world.ctx.db.select().from(outboxMessages).where(eq(outboxMessages.accountId, account.id));
  const mails = sent.filter(({ subject }) => !subject.includes("was created"));
  expect(mails.map(({ subject }) => subject)).toEqual(["We revoked your API key “Rate sync”: somebody found it"]);
  expect(mails[0]?.text).toContain(url);
  expect(mails[0]?.text).not.toContain(secret);
  const acts = await allActivity(world.ctx, caller);
  expect(acts.filter(({ action }) => action === "api_key.leaked")).toMatchObject([
    { actor: "service", details: { name: "Rate sync", found_at: url } },
  ]);
});

it("The response is the same for a key that does not exist, and for text that is none", async () => {
  const unknown = writeSecret(new Uint8Array(32).fill(9));
  for (const text of [unknown, "srd_live_", "hello", ""]) {
    const { status, body } = await report(text);
    expect([status, body]).toEqual([200, { received: true }]);
  }
});

it.each(["javascript:alert(1)", "not a url", `https://example.com/${"x".repeat(500)}`])(
  "The URL %j is rejected",
  async (url) => {
    expect((await report("srd_live_", url)).status).toBe(422);
  },
);

it("Reports are limited by address", async () => {
  world.ctx.rateLimiter = memoryRateLimiter();
  for (let i = 0; i < 60; i += 1) {
    world.clock.set(`2026-11-20T10:00:${String(i).padStart(2, "0")}Z`);
    expect((await report("hello")).status).toBe(200);
  }
  expect((await report("hello")).status).toBe(429);
});
