/** The connection to PostgreSQL. Only `context.server.ts`, the tests' world and the command-line tools open one. */
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "../../drizzle/schema.ts";

export type Db = PostgresJsDatabase<typeof schema>;
/** The database or a transaction on it. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0] | Db;

/**
 * Calls `catchUp` once it listens to the channel, at every notification, and whenever a lost connection is back:
 * notifications may have been missed in between. Has a connection of its own.
 */
export type Follow = (channel: string, catchUp: () => void) => Promise<void>;

export const openDatabase = (
  url: string,
  options: { connections?: number } = {},
): { db: Db; follow: Follow; close(): Promise<void> } => {
  const client = postgres(url, {
    max: options.connections ?? 10,
    connect_timeout: 5,
    // Seconds until a lost connection is tried again: whoever asks waits no longer than that for a database that is back.
    backoff: (attempt) => Math.min(3 ** attempt / 100, 1),
    onnotice: () => {},
    connection: { application_name: "shipping-route-data-service", TimeZone: "UTC" },
  });
  prepareAll(client);
  return {
    db: drizzle(client, { schema, casing: "snake_case" }),
    follow: async (channel, catchUp) => {
      await client.listen(channel, catchUp, catchUp);
    },
    close: () => client.end({ timeout: 5 }),
  };
};

/** Drizzle hands its statements to `unsafe`, which plans each anew unless told otherwise: three times the work. */
const prepareAll = (client: postgres.Sql): void => {
  const unsafe = client.unsafe.bind(client) as typeof client.unsafe;
  client.unsafe = (query, parameters, options) => unsafe(query, parameters, { prepare: true, ...options });
};

/** One of something for each database: a process has one database, the tests have many. */
export const perDatabase = <Thing>(make: (db: Tx) => Thing): ((db: Tx) => Thing) => {
  const made = new WeakMap<Tx, Thing>();
  return (db) => {
    const thing = made.get(db) ?? make(db);
    made.set(db, thing);
    return thing;
  };
};

const errorCode = (error: unknown): string | undefined => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
};

/** Whether a statement failed on the named unique or exclusion constraint. */
export const brokeConstraint = (error: unknown, constraint: string): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("constraint_name" in cause && cause.constraint_name === constraint) return true;
  }
  return false;
};

/** Whether the database itself is away or lets nobody in, rather than unhappy with a statement. */
export const databaseIsAway = (error: unknown): boolean => {
  if (endedConnection(error)) return true;
  const code = errorCode(error);
  if (code === undefined) return false;
  return /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|ENOENT|CONNECT|CONNECTION_)/.test(code) || /^(08|57P0)/.test(code);
};

/** PostgreSQL calls an error fatal when it ends the connection, or does not open it. */
const endedConnection = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("severity" in cause && cause.severity === "FATAL") return true;
  }
  return false;
};
