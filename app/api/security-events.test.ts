/** What the log says to a monitoring system about requests and changes. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { signIn } from "../domain/accounts/sign-in.server.ts";
import type { LogFields } from "../platform/log.server.ts";
import { reportSecurityEvents } from "../platform/security-events.ts";
import { call } from "../testing/api-client.ts";
import { createWorld, type World } from "../testing/world.ts";

let world: World;
let opened: Awaited<ReturnType<World["account"]>>;
beforeAll(async () => {
  world = await createWorld({ now: "2026-11-20T09:30:00Z" });
  opened = await world.account();
});
afterAll(() => world.close());

let lines: LogFields[] = [];
beforeEach(() => {
  lines = [];
  reportSecurityEvents({ warn: (event, fields) => lines.push({ event, ...fields }) });
});
afterEach(() => reportSecurityEvents(null));

const events = () => lines.map(({ event: _, ...rest }) => rest);
const text = () => JSON.stringify(lines);

const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe("The log of security events has", () => {
  it("a failed sign-in, with the account that it was for and nothing that names a person", async () => {
    const { email } = opened.account;
    const body = { email, password: "not the right password" };
    expect((await call(world, "POST", "/auth/login", { body })).status).toBe(401);
    expect(events()).toEqual([{ name: "password.refused", account_id: opened.account.id }]);
    expect(text()).not.toContain(email);
    expect(text()).not.toContain(body.password);
  });

  it("a failed sign-in without an account", async () => {
    await call(world, "POST", "/auth/login", { body: { email: "nobody@example.com", password: "a calm sea" } });
    expect(events()).toEqual([{ name: "password.refused", account_id: null }]);
  });

  it("credentials that are wrong, but no request without any", async () => {
    const secret = "srd_live_wrong";
    expect((await call(world, "GET", "/api-routes-data?id=1", { key: { secret, user: "me" } })).status).toBe(401);
    expect((await call(world, "GET", "/api-keys")).status).toBe(401);
    const endpoint = "/api-routes-data";
    expect(events()).toEqual([{ name: "credentials.refused", account_id: null, request_id: requestId, endpoint }]);
    expect(text()).not.toContain(secret);
  });

  it("a sign-in", async () => {
    const { email } = opened.account;
    expect(
      (await call(world, "POST", "/auth/login", { body: { email, password: "correct horse battery" } })).status,
    ).toBe(200);
    const { id } = opened.account;
    expect(events()).toEqual([{ name: "session.opened", account_id: id, actor_account_id: id }]);
    expect(text()).not.toContain(email);
  });

  it("a key that is created, changed and found", async () => {
    const body = { api_key_name: "Rate sync", user: "me" };
    const { body: key } = await call(world, "POST", "/api-keys/generate", { token: opened.token, body });
    const { id } = opened.account;
    expect(events()).toEqual([{ name: "api_key.created", account_id: id, actor_account_id: id }]);
    const addresses = { body: { allowed_addresses: ["192.0.2.7"] }, token: opened.token };
    await call(world, "PUT", `/api-keys/${key.id}/allowed-addresses`, addresses);
    expect(events().at(-1)).toEqual({ name: "api_key.addresses_set", account_id: id, actor_account_id: id });
    await call(world, "POST", "/leaked-keys", { body: { api_key: key.api_key } });
    expect(events().at(-1)).toEqual({ name: "api_key.leaked", account_id: id, actor_account_id: null });
    expect(text()).not.toContain(String(key.api_key));
  });

  it("attempts that are throttled", async () => {
    const guess = { email: "guessed@example.com", password: "a calm sea" };
    const origin = { ipAddress: "198.51.100.7", userAgent: "tests" };
    for (let i = 0; i < 21; i++) await signIn(world.ctx, guess, "bearer", origin).catch(() => {});
    expect(events().at(-1)).toEqual({ name: "attempt.throttled", account_id: null, attempt: expect.any(String) });
    expect(text()).not.toContain(guess.email);
  });
});
