/** The connections to PostgreSQL. Only `context.server.ts`, the tests' world and the command-line tools open one. */
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "#drizzle/schema/index.ts";
import { type Pool, poolOf } from "./database-pool.server.ts";
import { lockConnections } from "./locks.ts";
import { requirePatches } from "./patches.server.ts";
import { rememberFor } from "./remember.ts";
import { currentPace, type Pace, setDatabaseWait } from "./time-budget.server.ts";

export type Db = PostgresJsDatabase<typeof schema>;
/** The database or a transaction on it. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0] | Db;

/**
 * Calls `catchUp` once it listens to the channel, at every notification, and whenever a lost connection is back:
 * notifications may have been missed in between. Has its own connection.
 */
export type Follow = (channel: string, catchUp: () => void) => Promise<void>;

/** In milliseconds, unless the name says otherwise. */
type Limits = {
  /** PostgreSQL ends a statement that runs longer, */
  statementMs: number;
  /** or waits longer for a lock, */
  lockMs: number;
  /** and a transaction in which nothing is done. */
  idleInTransactionMs: number;
  /** How long a caller without a budget waits for a connection or an answer. */
  waitMs: number;
};

/** For commands, which may read whole tables. No requests wait for their connections. */
export const commandWaitMs = 600_000;

/** PostgreSQL cancels a request's statement before the request itself times out. */
const requestLimits = (waitMs: number): Limits => ({
  statementMs: Math.round(waitMs * 0.85),
  lockMs: Math.round(waitMs * 0.7),
  idleInTransactionMs: waitMs + 12_000,
  waitMs,
});

const limits = {
  long_work: { statementMs: 300_000, lockMs: 60_000, idleInTransactionMs: 600_000, waitMs: 310_000 },
  /** The transaction that holds a lock does nothing else; `wait` is bounded by `lockMs`. */
  locks: { statementMs: 40_000, lockMs: 30_000, idleInTransactionMs: 0, waitMs: 45_000 },
} satisfies Record<Exclude<Pace, "request"> | "locks", Limits>;

/** A server that is silent for this much longer than the statement timeout is taken for dead. */
const silenceMs = 2_000;
const longestQueue = 1_000;

/**
 * Three pools, so that none starves another: for requests, for long work, and for the locks that work holds meanwhile. The
 * time budget that a statement runs in (`time-budget.server.ts`) decides between the first two.
 *
 * @param options.connections of requests
 * @param options.requestWaitMs how long a request waits for the database, in this process
 * @throws MissingPatch if the driver is installed without its patch
 */
export const openDatabase = (
  url: string,
  options: { connections?: number; requestWaitMs?: number } = {},
): { db: Db; follow: Follow; close(): Promise<void> } => {
  requirePatches();
  const connections = options.connections ?? 10;
  if (options.requestWaitMs !== undefined) setDatabaseWait(options.requestWaitMs);
  const pools = {
    request: openPool("request", url, requestLimits(options.requestWaitMs ?? 3_000), connections, {
      // Planning for each value costs more than most statements take, most of all among the partitions of the request log.
      settings: { plan_cache_mode: "force_generic_plan" },
    }),
    long_work: openPool("long_work", url, limits.long_work, Math.min(connections, 4)),
    // Each lock has its own connections, so that work under one lock can take another.
    locks: openPool("locks", url, limits.locks, lockConnections, { mayNest: true }),
  } satisfies Record<Pace | "locks", Pool>;
  const client: Pick<Pool, "unsafe" | "begin" | "copyIn"> & Pick<postgres.Sql, "options"> = {
    unsafe: (...statement) => pools[currentPace()].unsafe(...statement),
    begin: (work) => pools[currentPace()].begin(work),
    copyIn: (...copy) => pools.long_work.copyIn(...copy),
    options: pools.request.options,
  };
  const db = drizzle(client as unknown as postgres.Sql, { schema, casing: "snake_case" });
  clients.set(db, client);
  lockPools.set(db, pools.locks);
  const close = async () => {
    await Promise.all(Object.values(pools).map((pool) => pool.close()));
  };
  const follow: Follow = async (channel, catchUp) => {
    await pools.request.listen(channel, catchUp, catchUp);
  };
  return { db, follow, close };
};

const openPool = (
  name: string,
  url: string,
  limits: Limits,
  connections: number,
  { settings, ...options }: { mayNest?: boolean; settings?: Record<string, string> } = {},
) => {
  const client = postgres(url, {
    max: connections,
    connect_timeout: 3,
    answer_timeout: (limits.statementMs + silenceMs) / 1_000,
    idle_timeout: 60,
    // Reconnect backoff in seconds: nobody waits longer than this for a database that is back.
    backoff: (attempt) => Math.min(3 ** attempt / 100, 1),
    onnotice: () => {},
    connection: {
      application_name: "shipping-route-data-service",
      TimeZone: "UTC",
      statement_timeout: limits.statementMs,
      lock_timeout: limits.lockMs,
      idle_in_transaction_session_timeout: limits.idleInTransactionMs,
      ...settings,
    },
  });
  // Drizzle changes how the client it is given parses dates.
  drizzle(client);
  const pool = poolOf(client, { name, connections, longestQueue, waitMs: limits.waitMs, ...options });
  return { ...pool, options: client.options, listen: client.listen };
};

/** What sends the statements of a database. */
const clients = new WeakMap<Tx, Pick<Pool, "unsafe">>();

/** Null in a transaction, whose statements only drizzle can send. */
export const clientOf = (db: Tx): Pick<Pool, "unsafe"> | null => clients.get(db) ?? null;

/** Where the locks of a database are held. */
const lockPools = new WeakMap<Tx, Pool>();

/** @throws Error for a transaction, which must not wait for a lock as well */
export const lockPoolOf = (db: Db): Pool => {
  const pool = lockPools.get(db);
  if (!pool) throw new Error("Locks are taken on a database, not in a transaction");
  return pool;
};

/**
 * Writes rows by COPY: several times as fast as INSERT. Outside a transaction, it runs in one of its own.
 *
 * @param rows in COPY's text format, in UTF-8, see `copyLine`; or in its binary format, see `BinaryRows`
 * @param options.frozen for a table that was truncated in this transaction. Rows are written as they will stay, and readers
 *   need not mark them as committed
 */
export const copyRows = async (
  db: Tx,
  table: string,
  columns: readonly string[],
  rows: Uint8Array | AsyncIterable<Uint8Array>,
  { format = "text", frozen = false }: { format?: "text" | "binary"; frozen?: boolean } = {},
): Promise<void> => {
  // Drizzle has no COPY. It passes its statements to the client of its session: one of a pool, or a transaction of one.
  const { client } = db._.session as unknown as { client: Pick<Pool, "copyIn"> };
  const names = columns.map((column) => `"${column}"`).join(", ");
  const statement = `copy "${table}" (${names}) from stdin with (format ${format}, freeze ${frozen})`;
  await client.copyIn(statement, rows instanceof Uint8Array ? [rows] : rows);
};

/** One instance per database. A process has one database; tests have many. */
export const perDatabase: <Thing>(make: (db: Tx) => Thing) => (db: Tx) => Thing = rememberFor;

/** Whether a statement failed on the named unique or exclusion constraint. */
export const violatesConstraint = (error: unknown, constraint: string): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("constraint_name" in cause && cause.constraint_name === constraint) return true;
  }
  return false;
};
