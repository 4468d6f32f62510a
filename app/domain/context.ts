/**
 * The dependencies that are injected into verbs. Each verb declares the part it uses: `Pick<Context, "db" | "clock">`.
 * `app/context.server.ts` builds the context once; tests use `app/testing/world.ts`.
 */
import type { Db } from "../platform/db.server.ts";
import type { Log } from "../platform/log.server.ts";
import type { Sealer } from "../platform/sealer.server.ts";
import type { Clock } from "./clock.ts";
import type { Mailer } from "./notifications/mailer.ts";
import type { PaymentGateway } from "./payments/gateway.ts";
import type { RateLimiter } from "./rate-limit/limiter.ts";

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
  rateLimiter: RateLimiter;
  mailer: Mailer;
  settings: Settings;
};

/** The part of the configuration that the domain needs. */
export type Settings = {
  /** The site's own address, without a trailing slash. */
  appUrl: string;
  testMode: boolean;
  /** Whether requests over plain HTTP are refused. */
  requireHttps: boolean;
  /** How many proxies stand in front of the service. Only their entries in X-Forwarded-* are trusted. */
  trustedProxies: number;
};
