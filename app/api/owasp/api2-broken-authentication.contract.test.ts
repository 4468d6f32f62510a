/** OWASP API2:2023: only whole, valid credentials in the right place authenticate, and guessing is slow. */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { bodyOf, named, protectedContracts, urlOf } from "../../testing/contract-requests.ts";
import { liveApi } from "../../testing/live-api.ts";

const { send, register, signIn } = liveApi(inject("services").server);

let account: Awaited<ReturnType<typeof register>>;
let key: { secret: string; user: string };
let cookie: string;
/** The name of the session's cookie, and its token. */
let session: { name: string; token: string };
beforeAll(async () => {
  account = await register();
  const body = { api_key_name: "Own", user: "own" };
  const { json } = await send("POST", "/api/api-keys/generate", { token: account.token, body });
  key = { secret: json.api_key, user: "own" };
  cookie = await signIn(account);
  const [name = "", value = ""] = cookie.split("=");
  session = { name, token: JSON.parse(Buffer.from(decodeURIComponent(value), "base64").toString()) };
  expect(session.token).toMatch(/^[a-z0-9]{40}$/);
});

describe.each(named(protectedContracts))("%s", (_, contract) => {
  it("needs valid credentials in the right place", async () => {
    const { token } = account;
    const body = bodyOf(contract);
    const url = urlOf(contract, {});
    const wrong = [
      {},
      { cookie },
      { token: `${token}x` },
      { token: token.slice(0, -1) },
      { token: session.token },
      { token: key.secret },
      { headers: { Authorization: token } },
      { headers: { Authorization: `Basic ${Buffer.from(`${account.email}:${account.password}`).toString("base64")}` } },
      { key: { ...key, user: "Own" } },
      { key: { secret: key.secret.toLowerCase(), user: "own" } },
      { headers: { "X-API-Key": key.secret } },
    ];
    for (const credentials of wrong) {
      const { status, json } = await send(contract.method, url, { body, ...credentials });
      expect([credentials, status, json.message]).toEqual([credentials, 401, "Invalid or missing authentication"]);
    }
    const inQuery = `${url}?access_token=${token}&token=${token}&api_key=${key.secret}&username=own`;
    expect((await send(contract.method, inQuery, { body })).status).toBe(401);
  });
});

it("A token of the API does not open a page", async () => {
  const opens = async (token: string) => {
    const value = Buffer.from(JSON.stringify(token)).toString("base64");
    const sent = { cookie: `${session.name}=${encodeURIComponent(value)}` };
    return (await send("GET", "/account", sent)).status;
  };
  expect([await opens(session.token), await opens(account.token)]).toEqual([200, 302]);
});

describe("Signing in", () => {
  it("does not tell an unknown e-mail from a wrong password", async () => {
    const answers = [];
    for (const email of [account.email, "nobody@example.com"]) {
      const { status, json } = await send("POST", "/api/auth/login", {
        body: { email, password: "a wild guess here" },
      });
      answers.push([status, json.message]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(401);
  });

  it("is limited for one account, also from many addresses of one network", async () => {
    const { email } = await register();
    const statuses = [];
    for (let i = 0; i < 21; i += 1) {
      const sent = { body: { email, password: "a wild guess here" }, address: `203.0.113.${i + 1}` };
      statuses.push((await send("POST", "/api/auth/login", sent)).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses[20]).toBe(429);
  });

  it.each(["short", "password1234", "weak-one weak@example.com"])(
    "does not accept a weak password: %s",
    async (password) => {
      const body = { email: "weak@example.com", username: "weak-one", password };
      const { status, json } = await send("POST", "/api/auth/register", { body });
      expect([status, json.errors?.[0]?.path]).toEqual([422, "password"]);
    },
  );
});

describe("A token", () => {
  it("ends with the sign-out, and when it is refreshed", async () => {
    const { email, password } = account;
    const login = await send("POST", "/api/auth/login", { body: { email, password } });
    const first = login.json.access_token;
    const second = (await send("POST", "/api/auth/refresh", { token: first })).json.access_token;
    expect((await send("GET", "/api/api-keys", { token: first })).status).toBe(401);
    expect((await send("GET", "/api/api-keys", { token: second })).status).toBe(200);
    await send("POST", "/api/auth/logout", { token: second });
    expect((await send("GET", "/api/api-keys", { token: second })).status).toBe(401);
  });
});
