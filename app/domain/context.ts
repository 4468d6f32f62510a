/**
 * What the world offers to a verb. Each verb asks for the part it uses: `Pick<Context, "db" | "clock">`.
 * Built once, in `app/context.server.ts`; in tests by `app/testing/world.ts`.
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
  /** What the holders' phones show: never moved by the test clock. */
  deviceClock: Clock;
  random: Random;
  log: Log;
  sealer: Sealer;
  payments: PaymentGateway;
  rateLimiter: RateLimiter;
  mailer: Mailer;
  settings: Settings;
};

/** What the operator has decided, as far as the domain has to know it. */
export type Settings = {
  /** The site's own address, without a trailing slash. */
  appUrl: string;
  testMode: boolean;
  /** Whether what came over plain HTTP is refused. */
  requireHttps: boolean;
  /** How many proxies stand in front; only what they write into X-Forwarded-* is believed. */
  trustedProxies: number;
};
