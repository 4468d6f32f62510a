/**
 * The dependencies that are injected into verbs. Each verb declares the part it uses: `Pick<Context, "db" | "clock">`.
 * `app/context.server.ts` builds the context once; tests use `app/testing/world.ts`.
 */
import type { Db } from "../platform/db.server.ts";
import type { Log } from "../platform/log.server.ts";
import type { Sealer } from "../platform/sealer.server.ts";
import type { ChangeSignal } from "./changes/signal.server.ts";
import type { Clock } from "./clock.ts";
import type { Day } from "./dates.ts";
import type { Mailer } from "./notifications/mailer.ts";
import type { PaymentClient, PaymentGateway } from "./payments/gateway.ts";
import type { Seller } from "./payments/seller.ts";
import type { RateLimiter } from "./rate-limit/limiter.ts";
import type { TaxProvider } from "./tax/tax.ts";
import type { WebhookTransport } from "./webhooks/transport.server.ts";

export type Random = {
  /** Cryptographically strong bytes. */
  bytes(length: number): Uint8Array;
};

export type Context = {
  db: Db;
  clock: Clock;
  /** Real time, as users' phones show it. The test clock does not move it. */
  deviceClock: Clock;
  random: Random;
  log: Log;
  sealer: Sealer;
  payments: PaymentGateway;
  /** Null: nothing is taxed. */
  tax: TaxProvider | null;
  rateLimiter: RateLimiter;
  mailer: Mailer;
  /** Wakes those who follow changes of routes' data. */
  changeSignal: ChangeSignal;
  webhooks: WebhookTransport;
  settings: Settings;
};

/** The part of the configuration that the domain needs. */
export type Settings = {
  /** The site's own address, without a trailing slash. */
  appUrl: string;
  testMode: boolean;
  /** Whether requests over plain HTTP are refused. */
  requireHttps: boolean;
  /** How many proxies are in front of the service. Only their entries in X-Forwarded-* are trusted. */
  trustedProxies: number;
  /** How much a renewal may rise at most over what was last paid for the same route and term, in percent. */
  renewalCapPercent: number;
  /** How many renewals are charged at the same time. The payment provider's answer takes most of the time of each. */
  renewalConcurrency: number;
  /** The version of the terms that registration accepts. */
  termsVersion: Day;
  /** Who issues the invoices. Null: not configured; invoices then name the site. */
  seller: Seller | null;
  /** Public: every buyer gets it with an order. */
  paymentClient: PaymentClient;
};
