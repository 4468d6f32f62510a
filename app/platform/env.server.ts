/** The settings, read from the environment once. Nothing else in the app reads it. */
import { z } from "zod";
import { isLoopback } from "./own-host.ts";

export type Config = Readonly<{
  environment: "development" | "test" | "production";
  /** The address to listen on. */
  host: string;
  port: number;
  /** How many processes serve requests. With more than one, a further process looks after them. */
  workers: number;
  /** The site's own address, without a trailing slash. */
  appUrl: string;
  /** Whether that address is a loopback address, which only this machine can reach. */
  isLocal: boolean;
  /** Null: the server starts the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** How long a request waits for the database, in all, before it is answered 503. */
  databaseWaitMs: number;
  /** Where the embedded PostgreSQL keeps its data. */
  dataDir: string;
  /** Encrypts secrets in the database. Null: the server generates one and keeps it in `dataDir`. */
  secretsKey: Uint8Array | null;
  /** Further keys that open what they have encrypted. */
  previousSecretsKeys: Uint8Array[];
  /** Payments are simulated; the clock can be moved and the mailbox read. */
  testMode: boolean;
  /** How many proxies in front of the service are trusted about a client's address, protocol and host. */
  trustedProxies: number;
  /** How much a renewal may rise at most over what was last paid for the same route and term, in percent. */
  renewalCapPercent: number;
  /** How many renewals are charged at the same time. */
  renewalConcurrency: number;
  /** The folder with the operator's terms and privacy policy. Null: the templates of the service. */
  legalDir: string | null;
  /** Who issues the invoices. */
  seller: Readonly<{
    name: string;
    addressLines: string[];
    country: string;
    taxId: string | null;
    email: string | null;
  }> | null;
  tax: TaxConfig;
  stripe: Readonly<{ secretKey: string; publishableKey: string; webhookSecret: string }> | null;
  /** Another implementation of Stripe's API, for the SDK. */
  stripeApiBaseUrl: string | null;
  /** Another implementation of Stripe.js, for the browser. */
  stripeJsUrl: string | null;
  redis: RedisConfig;
  /** Null: the embedded scheduler. */
  inngest: Readonly<{
    signingKey: string;
    eventKey: string | null;
    baseUrl: string | null;
    dev: boolean;
    /** After how many minutes the service runs a job that Inngest has missed; 0: never. */
    fallbackMinutes: number;
  }> | null;
  mail: Readonly<{
    smtpUrl: string;
    from: string;
    /** Whether mail is kept back rather than sent unencrypted, if the server offers no STARTTLS. */
    requireTls: boolean;
  }> | null;
  /** Whether webhooks may be sent to private addresses and over plain HTTP. */
  webhooksAllowPrivate: boolean;
  metrics: Readonly<{
    /** A port of its own for Prometheus. Null: none. */
    listen: Readonly<{ host: string; port: number }> | null;
    /** What Prometheus has to send. Null: `/hooks/metrics` does not exist, and the port needs none. */
    token: string | null;
  }>;
  /** Where traces and metrics are sent. Null: nowhere, and OpenTelemetry's SDK is not loaded. It reads its other settings itself. */
  otlpEndpoint: string | null;
}>;

export type TaxConfig =
  | Readonly<{ kind: "none" }>
  | Readonly<{ kind: "fixed"; rates: { country: string; ratePercent: string; name: string }[] }>
  | Readonly<{ kind: "stripe" }>;

export type RedisConfig =
  | Readonly<{ kind: "upstash"; url: string; token: string }>
  | Readonly<{ kind: "tcp"; url: string }>
  | Readonly<{ kind: "memory" }>;

/** All invalid settings at once, one line each, for the operator. */
export class InvalidConfig extends Error {
  override readonly name = "InvalidConfig";

  constructor(complaints: string[]) {
    super(`The configuration is invalid:\n${complaints.map((complaint) => `  ${complaint}`).join("\n")}`);
  }
}

/** @throws InvalidConfig listing each invalid variable and what it accepts */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const given = Object.fromEntries(
    Object.keys(variables)
      .map((name) => [name, env[name]?.trim()])
      // `NAME=` in `.env` counts as unset.
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = z.object(variables).safeParse(given);
  if (!parsed.success) {
    throw new InvalidConfig(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`));
  }
  const complaints = rules.flatMap(([name, rule]) => {
    const complaint = rule(parsed.data);
    return complaint === false ? [] : [`${name} ${complaint}`];
  });
  if (complaints.length > 0) throw new InvalidConfig(complaints);
  return configOf(parsed.data);
};

const url = (protocols: string[], example: string) =>
  z.string().refine((value) => protocols.includes(protocolOf(value)), {
    message: `must be an address like ${example}`,
  });
const protocolOf = (value: string) => (URL.canParse(value) ? new URL(value).protocol : "");
const startingWith = (prefix: string) =>
  z.string().refine((value) => value.startsWith(prefix), { message: `must start with ${prefix}` });
const integer = (min: number, max: number) =>
  z
    .string()
    .refine((value) => /^\d{1,6}$/.test(value) && Number(value) >= min && Number(value) <= max, {
      message: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);
const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, { error: `must be one of: ${words.join(", ")}` });

const web = ["http:", "https:"];

const secretsKey = /^[A-Za-z0-9+/]{43}=$/;

/** One entry of TAX_RATES: country, rate in percent, and the tax's name if it is not VAT. */
const taxRate = /^([A-Z]{2})=(\d{1,2}(?:\.\d{1,3})?)(?: ([A-Z][\w /-]{0,19}))?$/;
const listed = (text: string, separator: string) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** By name; `.env.example` says what each is for. */
export const variables = {
  NODE_ENV: oneOf(["development", "test", "production"]).default("development"),
  HOST: z.string().optional(),
  PORT: integer(1, 65_535).default(3000),
  WEB_CONCURRENCY: integer(1, 64).default(1),
  APP_URL: url(web, "https://data.example.com").optional(),
  DATABASE_URL: url(["postgres:", "postgresql:"], "postgres://user:password@host:5432/database").optional(),
  DATABASE_WAIT_SECONDS: integer(1, 60).default(3),
  DATA_DIR: z.string().default(".data"),
  SECRETS_KEY: z
    .string()
    .refine((value) => secretsKey.test(value), {
      message: "must be 32 bytes in base64; make one with: openssl rand -base64 32",
    })
    .optional(),
  SECRETS_KEY_PREVIOUS: z
    .string()
    .refine((value) => listed(value, ",").every((key) => secretsKey.test(key)), {
      message: "must list keys like SECRETS_KEY, separated by commas",
    })
    .optional(),
  TEST_MODE: oneOf(["on", "off"]).optional(),
  TRUST_PROXY: integer(0, 10).default(0),
  RENEWAL_PRICE_CAP_PERCENT: integer(0, 1_000).default(10),
  RENEWAL_CONCURRENCY: integer(1, 100).default(16),
  LEGAL_DIR: z.string().optional(),
  SELLER_NAME: z.string().max(200).optional(),
  SELLER_ADDRESS: z.string().max(500).optional(),
  SELLER_COUNTRY: z
    .string()
    .refine((value) => /^[A-Z]{2}$/.test(value), { message: "must be a country code of ISO 3166-1, like DE" })
    .optional(),
  SELLER_TAX_ID: z.string().max(40).optional(),
  SELLER_EMAIL: z.string().max(254).optional(),
  TAX_PROVIDER: oneOf(["none", "fixed", "stripe"]).default("none"),
  TAX_RATES: z
    .string()
    .refine((value) => listed(value, ",").every((entry) => taxRate.test(entry)), {
      message: "must list rates in percent by country, like DE=19, FR=20, AU=10 GST",
    })
    .optional(),
  STRIPE_SECRET_KEY: z
    .string()
    .refine((value) => /^[sr]k_/.test(value), { message: "must start with sk_ or rk_" })
    .optional(),
  STRIPE_PUBLISHABLE_KEY: startingWith("pk_").optional(),
  STRIPE_WEBHOOK_SECRET: startingWith("whsec_").optional(),
  STRIPE_API_BASE_URL: url(web, "https://api.stripe.com").optional(),
  STRIPE_JS_URL: url(web, "https://js.stripe.com/v3/").optional(),
  UPSTASH_REDIS_REST_URL: url(web, "https://name.upstash.io").optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  REDIS_URL: url(["redis:", "rediss:"], "redis://localhost:6379").optional(),
  INNGEST_EVENT_KEY: z.string().optional(),
  INNGEST_SIGNING_KEY: z
    .string()
    .refine((value) => /^(signkey-\w+-)?([0-9a-f]{2})+$/i.test(value), {
      message: "must be signkey-prod- and an even number of hex digits; make them with: openssl rand -hex 32",
    })
    .optional(),
  INNGEST_BASE_URL: url(web, "https://inngest.example.com").optional(),
  INNGEST_FALLBACK_MINUTES: integer(0, 1_440).default(15),
  INNGEST_DEV: z.string().optional(),
  SMTP_URL: url(["smtp:", "smtps:"], "smtp://user:password@host:587").optional(),
  SMTP_TLS: oneOf(["required", "optional"]).optional(),
  MAIL_FROM: z.string().optional(),
  WEBHOOK_ALLOW_PRIVATE: oneOf(["on", "off"]).default("off"),
  METRICS_PORT: integer(1, 65_535).optional(),
  METRICS_HOST: z.string().optional(),
  METRICS_TOKEN: z
    .string()
    .refine((value) => /^[\x21-\x7e]{16,200}$/.test(value), {
      message: "must have 16 to 200 characters without spaces; make one with: openssl rand -hex 32",
    })
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(web, "http://collector:4318").optional(),
};

type Given = z.output<z.ZodObject<typeof variables>>;

const appUrlOf = (env: Given) => (env.APP_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, "");

/** For answers that must be right although the configuration may be what is wrong. Empty if it is not set. */
export const appUrlIn = (env: Record<string, string | undefined>): string => env.APP_URL ?? "";

const isLocal = (env: Given): boolean => isLoopback(new URL(appUrlOf(env)).hostname);

/** Rules about more than one variable, each reported at the variable to change first. */
const rules: [keyof Given, (env: Given) => false | string][] = [
  [
    "APP_URL",
    (env) =>
      new URL(appUrlOf(env)).pathname !== "/" && "must have no path: the service stands at the root of its address",
  ],
  [
    "APP_URL",
    (env) =>
      env.STRIPE_SECRET_KEY !== undefined &&
      new URL(appUrlOf(env)).protocol !== "https:" &&
      !isLocal(env) &&
      "must begin with https:// where payments are real: over HTTP others can read passwords and take over sessions",
  ],
  [
    "STRIPE_SECRET_KEY",
    (env) =>
      env.STRIPE_SECRET_KEY === undefined &&
      !testModeOf(env) &&
      `is missing: ${env.TEST_MODE === "off" ? "TEST_MODE is off" : `${appUrlOf(env)} is no loopback address`}, so payments are real. Set Stripe's keys, or TEST_MODE=on to simulate payments`,
  ],
  [
    "SECRETS_KEY",
    (env) =>
      env.SECRETS_KEY === undefined &&
      env.NODE_ENV === "production" &&
      env.STRIPE_SECRET_KEY !== undefined &&
      "is missing: where payments are real, it must not depend on one machine's files. Make one with: openssl rand -base64 32",
  ],
  [
    "TEST_MODE",
    (env) =>
      env.TEST_MODE === "on" &&
      env.STRIPE_SECRET_KEY !== undefined &&
      "must not be on with STRIPE_SECRET_KEY set: test mode simulates payments",
  ],
  ["SELLER_ADDRESS", (env) => missingWith(env, "SELLER_NAME", "SELLER_ADDRESS")],
  ["SELLER_COUNTRY", (env) => missingWith(env, "SELLER_NAME", "SELLER_COUNTRY")],
  [
    "SELLER_NAME",
    (env) =>
      env.SELLER_NAME === undefined &&
      sellerSettings.some((name) => env[name] !== undefined) &&
      "is missing: other settings of the seller are set",
  ],
  [
    "SELLER_TAX_ID",
    (env) =>
      env.TAX_PROVIDER !== "none" &&
      (env.SELLER_NAME === undefined || env.SELLER_TAX_ID === undefined) &&
      `is missing: TAX_PROVIDER is ${env.TAX_PROVIDER}, and invoices with tax must name the seller and its tax number`,
  ],
  [
    "TAX_RATES",
    (env) => env.TAX_PROVIDER === "fixed" && env.TAX_RATES === undefined && "is missing: TAX_PROVIDER is fixed",
  ],
  ["STRIPE_PUBLISHABLE_KEY", (env) => missingWith(env, "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY")],
  ["STRIPE_WEBHOOK_SECRET", (env) => missingWith(env, "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET")],
  ["STRIPE_SECRET_KEY", (env) => missingWith(env, "STRIPE_PUBLISHABLE_KEY", "STRIPE_SECRET_KEY")],
  ["UPSTASH_REDIS_REST_TOKEN", (env) => missingWith(env, "UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN")],
  ["UPSTASH_REDIS_REST_URL", (env) => missingWith(env, "UPSTASH_REDIS_REST_TOKEN", "UPSTASH_REDIS_REST_URL")],
  [
    "REDIS_URL",
    (env) =>
      env.REDIS_URL !== undefined &&
      env.UPSTASH_REDIS_REST_URL !== undefined &&
      "must not be set beside UPSTASH_REDIS_REST_URL: the limits are counted in one place",
  ],
  [
    "INNGEST_DEV",
    (env) =>
      inngestDevOf(env) &&
      env.NODE_ENV === "production" &&
      "must not be set in production: it switches signature checks off",
  ],
  ["INNGEST_SIGNING_KEY", (env) => missingWith(env, "INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY")],
  ["MAIL_FROM", (env) => missingWith(env, "SMTP_URL", "MAIL_FROM")],
  ["METRICS_PORT", (env) => missingWith(env, "METRICS_HOST", "METRICS_PORT")],
  ["METRICS_PORT", (env) => env.METRICS_PORT === env.PORT && "must not be PORT, where the site is served"],
];

const sellerSettings = ["SELLER_ADDRESS", "SELLER_COUNTRY", "SELLER_TAX_ID", "SELLER_EMAIL"] as const;

const missingWith = (env: Given, present: keyof Given, wanted: keyof Given) =>
  env[present] !== undefined && env[wanted] === undefined && `is missing: ${present} is set, and needs it`;

const testModeOf = (env: Given) =>
  env.STRIPE_SECRET_KEY === undefined && (env.TEST_MODE === "on" || (env.TEST_MODE !== "off" && isLocal(env)));

const inngestDevOf = (env: Given) => env.INNGEST_DEV !== undefined && !["0", "false"].includes(env.INNGEST_DEV);

const configOf = (env: Given): Config => ({
  environment: env.NODE_ENV,
  // Test mode has a public login and a clock that anybody can move, so it listens on this machine only.
  host: env.HOST ?? (isLocal(env) ? "127.0.0.1" : "0.0.0.0"),
  port: env.PORT,
  workers: env.WEB_CONCURRENCY,
  appUrl: appUrlOf(env),
  isLocal: isLocal(env),
  databaseUrl: env.DATABASE_URL ?? null,
  databaseWaitMs: env.DATABASE_WAIT_SECONDS * 1_000,
  dataDir: env.DATA_DIR,
  secretsKey: env.SECRETS_KEY === undefined ? null : Buffer.from(env.SECRETS_KEY, "base64"),
  previousSecretsKeys: listed(env.SECRETS_KEY_PREVIOUS ?? "", ",").map((key) => Buffer.from(key, "base64")),
  testMode: testModeOf(env),
  trustedProxies: env.TRUST_PROXY,
  renewalCapPercent: env.RENEWAL_PRICE_CAP_PERCENT,
  renewalConcurrency: env.RENEWAL_CONCURRENCY,
  legalDir: env.LEGAL_DIR ?? null,
  seller: sellerOf(env),
  tax: taxOf(env),
  stripe:
    env.STRIPE_SECRET_KEY && env.STRIPE_PUBLISHABLE_KEY && env.STRIPE_WEBHOOK_SECRET
      ? {
          secretKey: env.STRIPE_SECRET_KEY,
          publishableKey: env.STRIPE_PUBLISHABLE_KEY,
          webhookSecret: env.STRIPE_WEBHOOK_SECRET,
        }
      : null,
  stripeApiBaseUrl: env.STRIPE_API_BASE_URL ?? null,
  stripeJsUrl: env.STRIPE_JS_URL ?? null,
  redis: redisOf(env),
  inngest: env.INNGEST_SIGNING_KEY
    ? {
        signingKey: env.INNGEST_SIGNING_KEY,
        eventKey: env.INNGEST_EVENT_KEY ?? null,
        baseUrl: env.INNGEST_BASE_URL ?? null,
        dev: inngestDevOf(env),
        fallbackMinutes: env.INNGEST_FALLBACK_MINUTES,
      }
    : null,
  mail:
    env.SMTP_URL && env.MAIL_FROM
      ? { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM, requireTls: requiresTls(env.SMTP_URL, env.SMTP_TLS) }
      : null,
  webhooksAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE === "on",
  metrics: {
    listen: env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST ?? "127.0.0.1", port: env.METRICS_PORT },
    token: env.METRICS_TOKEN ?? null,
  },
  otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
});

/** Mail has links that grant access to an account. Nobody else can read what stays on this machine. */
const requiresTls = (smtpUrl: string, setting: Given["SMTP_TLS"]): boolean =>
  setting === undefined ? !isLoopback(new URL(smtpUrl).hostname) : setting === "required";

const sellerOf = (env: Given): Config["seller"] =>
  env.SELLER_NAME && env.SELLER_ADDRESS && env.SELLER_COUNTRY
    ? {
        name: env.SELLER_NAME,
        addressLines: listed(env.SELLER_ADDRESS, ";"),
        country: env.SELLER_COUNTRY,
        taxId: env.SELLER_TAX_ID ?? null,
        email: env.SELLER_EMAIL ?? null,
      }
    : null;

const taxOf = (env: Given): TaxConfig => {
  if (env.TAX_PROVIDER !== "fixed") return { kind: env.TAX_PROVIDER };
  const rates = listed(env.TAX_RATES ?? "", ",").map((entry) => {
    const [, country = "", ratePercent = "", name = "VAT"] = taxRate.exec(entry) ?? [];
    return { country, ratePercent, name };
  });
  return { kind: "fixed", rates };
};

const redisOf = (env: Given): RedisConfig => {
  if (env.UPSTASH_REDIS_REST_URL && env.UPSTASH_REDIS_REST_TOKEN) {
    return { kind: "upstash", url: env.UPSTASH_REDIS_REST_URL, token: env.UPSTASH_REDIS_REST_TOKEN };
  }
  return env.REDIS_URL ? { kind: "tcp", url: env.REDIS_URL } : { kind: "memory" };
};
