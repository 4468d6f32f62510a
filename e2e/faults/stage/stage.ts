/**
 * The service with everything around it, started as users start it: several processes on a PostgreSQL of their own, a Redis, a
 * Stripe, a mail system and an Inngest, each of which a scenario can take away.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import postgres from "postgres";
import { importCatalogue } from "#app/domain/catalogue/import.server.ts";
import { systemClock } from "#app/domain/clock.ts";
import { dayOf } from "#app/domain/dates.ts";
import { commandWaitMs, openDatabase } from "#app/platform/db.server.ts";
import { type RedisServer, redisIsInstalled, startRedisServer } from "#app/testing/redis-server.ts";
import { type Service, startService } from "#app/testing/service.ts";
import { openTestServer } from "#app/testing/test-server.ts";
import { migrate } from "#drizzle/migrate.ts";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import { type Customers, openCustomers } from "./customers.ts";
import { type Inngest, openInngest } from "./inngest.ts";
import { type OwnPostgres, openOwnPostgres } from "./postgres.ts";
import { type MailSystem, openMailSystem } from "./smtp.ts";
import { openStripe, type StripeStandIn } from "./stripe.ts";

export type Stage = {
  services: Service[];
  urlOf(service: number): string;
  /** Starts another process in the place of one that has ended. */
  replace(service: number): Promise<void>;
  postgres: OwnPostgres;
  sql: postgres.Sql;
  /** Null where `redis-server` is not installed. */
  redis: RedisServer | null;
  stripe: StripeStandIn;
  mail: MailSystem;
  /** Null: the embedded scheduler. */
  inngest: Inngest | null;
  customers: Customers;
  /** Sets the system clock of one service ahead or, below 0, behind. */
  setClock(service: number, offsetMs: number): Promise<void>;
  close(): Promise<void>;
};

export type StageOptions = {
  processes: number;
  readers: number;
  buyersEach?: number;
  inngest?: boolean;
  withSmallDisk?: boolean;
};

/** Few routes, so that it is ready soon; enough periods to buy. */
const routeCodes = (): string[] =>
  readFileSync(new URL("../../../drizzle/seed/data/routes.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { code: string }).code)
    .filter((_, index) => index % 47 === 0);

export const openStage = async (options: StageOptions): Promise<Stage> => {
  const { processes, readers, buyersEach = 1, inngest: withInngest = false, withSmallDisk = true } = options;
  const closers: (() => Promise<unknown> | unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const testServer = await openTestServer();
    closers.push(testServer.stop);
    const database = await openOwnPostgres({ withSmallDisk });
    closers.push(database.remove);
    await database.createDatabase("service");
    await fillDatabase(database.url("service"));
    const sql = postgres(database.url("service"), { max: 3, onnotice: () => {}, idle_timeout: 5 });
    closers.push(() => sql.end({ timeout: 1 }));
    const redis = redisIsInstalled ? await startRedisServer() : null;
    closers.push(() => redis?.stop());
    const stripe = await openStripe(testServer);
    closers.push(stripe.close);
    const mail = await openMailSystem();
    closers.push(mail.goAway);
    const inngest = withInngest ? await openInngest() : null;
    closers.push(() => inngest?.close());
    const clocks = mkdtempSync(path.join(tmpdir(), "faults-clock-"));
    closers.push(() => rmSync(clocks, { recursive: true, force: true }));

    const clockOf = (service: number) => path.join(clocks, String(service));
    const start = (service: number) =>
      startService({
        by: "npm start",
        databaseUrl: database.url("service"),
        env: {
          ...stripe.env,
          ...(redis ? { REDIS_URL: redis.url } : {}),
          ...inngest?.env,
          SMTP_URL: mail.url,
          MAIL_FROM: "billing@example.com",
          DATABASE_WAIT_SECONDS: "3",
          TRUST_PROXY: "1",
          CLOCK_OFFSET_FILE: clockOf(service),
          NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, "clock-of-the-process.mjs")).href}`,
        },
      });
    const services: Service[] = [];
    closers.push(() => Promise.all(services.map((service) => service.stop())));
    const killAll = () => {
      for (const service of services) void service.terminate("SIGKILL");
    };
    process.once("exit", killAll);
    closers.push(() => process.off("exit", killAll));
    for (let service = 0; service < processes; service++) services.push(await start(service));
    const urlOf = (service: number) => services[service]?.url ?? "";
    stripe.deliverTo(() => services.map(({ url }) => url));
    return {
      services,
      urlOf,
      replace: async (service) => {
        services[service] = await start(service);
      },
      postgres: database,
      sql,
      redis,
      stripe,
      mail,
      inngest,
      customers: await openCustomers(() => urlOf(0), sql, stripe.pay, { readers, processes, buyersEach }),
      setClock: async (service, offsetMs) => {
        writeFileSync(clockOf(service), String(offsetMs));
        await new Promise((read) => setTimeout(read, 200));
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

const fillDatabase = async (url: string): Promise<void> => {
  await migrate(url);
  const { db, close } = openDatabase(url, { connections: 3, requestWaitMs: commandWaitMs });
  const today = dayOf(systemClock.now());
  await importCatalogue({ db, clock: systemClock }, readDemoCatalogue({ today, routeCodes: routeCodes() }).source);
  await close();
};
