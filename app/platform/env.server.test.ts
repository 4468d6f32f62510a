import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InvalidConfig, readConfig, variables } from "./env.server.ts";

const liveStripe = {
  STRIPE_SECRET_KEY: "sk_live_1",
  STRIPE_PUBLISHABLE_KEY: "pk_live_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};
const secretsKey = Buffer.alloc(32, 7).toString("base64");
const elsewhere = { APP_URL: "https://data.example.com" };

const complaintsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    return error.message.split("\n").slice(1);
  }
};

test("without settings the service is complete, in test mode, and for this machine only", () => {
  expect(readConfig({})).toEqual({
    environment: "development",
    host: "127.0.0.1",
    port: 3000,
    workers: 1,
    appUrl: "http://localhost:3000",
    isLocal: true,
    databaseUrl: null,
    databaseWaitMs: 3_000,
    dataDir: ".data",
    secretsKey: null,
    previousSecretsKeys: [],
    testMode: true,
    trustedProxies: 0,
    webhooksAllowPrivate: false,
    renewalCapPercent: 10,
    renewalConcurrency: 16,
    legalDir: null,
    seller: null,
    tax: { kind: "none" },
    stripe: null,
    stripeApiBaseUrl: null,
    stripeJsUrl: null,
    redis: { kind: "memory" },
    inngest: null,
    mail: null,
    metrics: { listen: null, token: null },
    otlpEndpoint: null,
  });
});

test("real services are used when their settings are complete", () => {
  const config = readConfig({
    ...elsewhere,
    ...liveStripe,
    NODE_ENV: "production",
    SECRETS_KEY: secretsKey,
    SECRETS_KEY_PREVIOUS: `${secretsKey}, ${Buffer.alloc(32, 8).toString("base64")}`,
    PORT: "8080",
    TRUST_PROXY: "2",
    UPSTASH_REDIS_REST_URL: "https://x.upstash.io",
    UPSTASH_REDIS_REST_TOKEN: "token",
    INNGEST_SIGNING_KEY: "signkey-prod-12",
    SMTP_URL: "smtp://mail.example.com:587",
    MAIL_FROM: "Routes <routes@example.com>",
  });
  expect(config.secretsKey).toEqual(Buffer.alloc(32, 7));
  expect(config.previousSecretsKeys).toEqual([Buffer.alloc(32, 7), Buffer.alloc(32, 8)]);
  expect(config).toMatchObject({
    host: "0.0.0.0",
    port: 8080,
    appUrl: "https://data.example.com",
    isLocal: false,
    testMode: false,
    trustedProxies: 2,
    stripe: { secretKey: "sk_live_1", publishableKey: "pk_live_1", webhookSecret: "whsec_1" },
    redis: { kind: "upstash", url: "https://x.upstash.io", token: "token" },
    inngest: { signingKey: "signkey-prod-12", eventKey: null, dev: false },
    mail: { smtpUrl: "smtp://mail.example.com:587", from: "Routes <routes@example.com>", requireTls: true },
  });
});

describe("test mode", () => {
  test.each([
    ["the default address", {}, true],
    ["localhost", { APP_URL: "http://localhost:4000" }, true],
    ["127.0.0.1", { APP_URL: "http://127.0.0.1:4000" }, true],
    ["another loopback address", { APP_URL: "http://127.1.2.3" }, true],
    ["IPv6 loopback", { APP_URL: "http://[::1]:3000" }, true],
    ["elsewhere, asked for", { ...elsewhere, TEST_MODE: "on" }, true],
    ["keys on a loopback address", liveStripe, false],
    ["keys elsewhere", { ...elsewhere, ...liveStripe }, false],
  ] as const)("%s", (_, env, expected) => {
    expect(readConfig(env).testMode).toBe(expected);
  });

  test.each([
    ["elsewhere without keys", elsewhere],
    ["a name that only begins like a loopback address", { APP_URL: "http://127.example.com" }],
    ["a name that only ends like localhost", { APP_URL: "http://notlocalhost" }],
    ["switched off without keys", { TEST_MODE: "off" }],
  ])("the service refuses to start: %s", (_, env) => {
    expect(complaintsOf(env)).toEqual([expect.stringMatching(/^ {2}STRIPE_SECRET_KEY is missing: .*TEST_MODE=on/)]);
  });
});

test.each([
  [{ PORT: "0" }, "PORT must be a whole number from 1 to 65535"],
  [{ PORT: "3000x" }, "PORT must be a whole number from 1 to 65535"],
  [{ NODE_ENV: "prod" }, "NODE_ENV must be one of: development, test, production"],
  [{ TEST_MODE: "yes" }, "TEST_MODE must be one of: on, off"],
  [{ TRUST_PROXY: "11" }, "TRUST_PROXY must be a whole number from 0 to 10"],
  [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must be an address like postgres://user:password@host:5432/database"],
  [{ APP_URL: "localhost:3000" }, "APP_URL must be an address like https://data.example.com"],
  [{ APP_URL: "http://localhost/x" }, "APP_URL must have no path: the service stands at the root of its address"],
  [
    { ...liveStripe, APP_URL: "http://data.example.com" },
    "APP_URL must begin with https:// where payments are real: over HTTP others can read passwords and take over sessions",
  ],
  [
    { STRIPE_SECRET_KEY: "sk_1", STRIPE_PUBLISHABLE_KEY: "pk_1" },
    "STRIPE_WEBHOOK_SECRET is missing: STRIPE_SECRET_KEY is set, and needs it",
  ],
  [{ ...liveStripe, STRIPE_PUBLISHABLE_KEY: "sk_live_1" }, "STRIPE_PUBLISHABLE_KEY must start with pk_"],
  [
    { ...liveStripe, TEST_MODE: "on" },
    "TEST_MODE must not be on with STRIPE_SECRET_KEY set: test mode simulates payments",
  ],
  [
    { INNGEST_DEV: "1", NODE_ENV: "production" },
    "INNGEST_DEV must not be set in production: it switches signature checks off",
  ],
  [
    { UPSTASH_REDIS_REST_URL: "https://x" },
    "UPSTASH_REDIS_REST_TOKEN is missing: UPSTASH_REDIS_REST_URL is set, and needs it",
  ],
  [{ SECRETS_KEY: "short" }, "SECRETS_KEY must be 32 bytes in base64; make one with: openssl rand -base64 32"],
  [
    { ...liveStripe, NODE_ENV: "production" },
    "SECRETS_KEY is missing: where payments are real, it must not depend on one machine's files. Make one with: openssl rand -base64 32",
  ],
  [{ SMTP_URL: "smtp://x" }, "MAIL_FROM is missing: SMTP_URL is set, and needs it"],
])("%j is rejected", (env, complaint) => {
  expect(complaintsOf(env)).toEqual([`  ${complaint}`]);
});

test("all invalid settings are reported at once", () => {
  expect(complaintsOf({ PORT: "x", TEST_MODE: "x" })).toHaveLength(2);
});

test("an empty value counts as unset", () => {
  expect(readConfig({ DATABASE_URL: "", PORT: " " })).toEqual(readConfig({}));
});

test(".env.example lists and explains every variable", () => {
  const lines = readFileSync(new URL("../../.env.example", import.meta.url), "utf8").split("\n");
  const listed = lines.flatMap((line, index) => {
    const name = /^([A-Z_]+)=/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, isExplained: lines[index - 1]?.startsWith("# ") }];
  });
  expect(listed).toEqual(Object.keys(variables).map((name) => ({ name, isExplained: true })));
});

test.each([
  ["smtp://mail.example.com:587", {}, true],
  ["smtp://relay:25", {}, true],
  ["smtp://relay:25", { SMTP_TLS: "optional" }, false],
  ["smtp://localhost:1025", {}, false],
  ["smtp://127.0.0.1:1025", {}, false],
  ["smtp://[::1]:1025", {}, false],
  ["smtp://127.0.0.1:1025", { SMTP_TLS: "required" }, true],
])("mail to %s with %j requires encryption: %s", (url, setting, required) => {
  expect(readConfig({ SMTP_URL: url, MAIL_FROM: "routes@example.com", ...setting }).mail?.requireTls).toBe(required);
});
