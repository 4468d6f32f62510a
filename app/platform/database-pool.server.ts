/**
 * A connection pool in which every wait has a timeout. Callers queue here rather than in the driver, so that a caller that
 * times out leaves the queue, and its statement is not sent later.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type postgres from "postgres";
import { copyInto } from "./copy-into.ts";
import { DatabaseTrouble } from "./database-trouble.ts";
import { connectionCount, connectionTimeouts, connectionWait, connectionWaiters, registry } from "./metrics/metrics.ts";
import { type Allowance, allowanceFor, currentOrigin } from "./time-budget.server.ts";
import { tracedStatement } from "./tracing.ts";

/** The part of the driver that drizzle uses. */
type Unsafe = (text: string, parameters?: unknown[], options?: { prepare?: boolean }) => Statement;
type Statement = PromiseLike<unknown> & { values(): Promise<unknown> };
type CopyIn = (statement: string, rows: Parameters<typeof copyInto>[2]) => Promise<void>;
type Session = { unsafe: Unsafe; savepoint<T>(work: (session: Session) => Promise<T>): Promise<T>; copyIn: CopyIn };

export type Pool = {
  unsafe: Unsafe;
  begin<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs `COPY … FROM STDIN` with these bytes, in its own transaction. */
  copyIn: CopyIn;
  close(): Promise<void>;
};

export type PoolOptions = {
  /** For metrics. */
  name: string;
  connections: number;
  /** How long a caller without a budget waits, at each step. */
  waitMs: number;
  /** More callers than this are refused at once. */
  longestQueue: number;
  /** Whether there are connections left for transactions inside another one. */
  mayNest?: boolean;
};

/** The transactions that are open around the running code, by pool. */
const openTransactions = new AsyncLocalStorage<ReadonlyMap<object, { isOpen: boolean }>>();

export const poolOf = (client: postgres.Sql, options: PoolOptions): Pool => {
  const self = {};
  const slots = slotsOf(options);
  const preparing = preparingOf(recurrence());
  const allowance = () => allowanceFor("database", options.waitMs);

  /** Prevents a deadlock: every connection held by code that waits for another one. */
  const refuseSecondConnection = () => {
    if (!options.mayNest && openTransactions.getStore()?.get(self)?.isOpen) {
      throw new Error(
        "The database is used beside an open transaction, which needs a second connection: use the first",
      );
    }
  };

  const alone = async (statement: () => ReturnType<postgres.Sql["unsafe"]>): Promise<unknown> => {
    refuseSecondConnection();
    const allowed = allowance();
    const release = await slots.take(allowed);
    const running = statement();
    running.then(release, release);
    try {
      return await allowed.spend(() => running, tooLate);
    } catch (error) {
      // Without a connection the statement can still be kept from being sent.
      if (isUnsent(running)) running.cancel();
      throw error;
    }
  };

  const begin: Pool["begin"] = async (work) => {
    refuseSecondConnection();
    const allowed = allowance();
    const release = await slots.take(allowed);
    const around = openTransactions.getStore() ?? new Map();
    const transaction = { isOpen: true };
    let isGivenUp = false;
    const started = signal();
    const worked = signal();
    const running = client.begin(async (session) => {
      started.resolve();
      if (isGivenUp) throw tooLate();
      try {
        nameAfterOrigin(session);
        const open = new Map([...around, [self, transaction]]);
        return await openTransactions.run(open, async () => await work(limited(session, allowance, preparing)));
      } finally {
        transaction.isOpen = false;
        worked.resolve();
      }
    }) as ReturnType<typeof work>;
    running.then(release, release);
    try {
      await allowed.spend(() => Promise.race([started.promise, running]), tooLate);
    } catch (error) {
      isGivenUp = true;
      throw error;
    }
    await Promise.race([worked.promise, running]);
    // COMMIT or ROLLBACK. Without an answer, the outcome is unknown.
    return allowance().spend(() => running, tooLate);
  };

  const copyIn: Pool["copyIn"] = async (statement, rows) => {
    refuseSecondConnection();
    const allowed = allowance();
    const release = await slots.take(allowed);
    const running = client.begin((session) => copyInto(session, statement, rows));
    running.then(release, release);
    await allowed.spend(() => running, tooLate);
  };

  return {
    copyIn,
    unsafe: (text, parameters = [], settings = {}) =>
      statementOf((rows) =>
        tracedStatement(text, () =>
          alone(() => {
            const statement = client.unsafe(...written(text, parameters, preparing(text, parameters, settings)));
            // Changes the format of the rows; it is the same promise.
            if (rows === "arrays") void statement.values();
            return statement;
          }),
        ),
      ),
    begin,
    close: () => client.end({ timeout: 5 }),
  };
};

/** The driver records on a statement which connection it was given. */
const isUnsent = (statement: object): boolean => "state" in statement && statement.state === null;

/** The statements of a transaction, each within what is left of the budget. */
const limited = (session: postgres.TransactionSql, allowance: () => Allowance, preparing: Preparing): Session => ({
  unsafe: (text, parameters = [], settings = {}) =>
    statementOf((rows) =>
      tracedStatement(text, () =>
        allowance().spend<unknown>(() => {
          const statement = session.unsafe(...written(text, parameters, preparing(text, parameters, settings)));
          return rows === "arrays" ? statement.values() : statement;
        }, tooLate),
      ),
    ),
  savepoint: (work) =>
    session.savepoint((inner) => work(limited(inner, allowance, preparing))) as ReturnType<typeof work>,
  copyIn: (statement, rows) => allowance().spend(() => copyInto(session, statement, rows), tooLate),
});

/**
 * The request or job that a connection works for, as PostgreSQL shows it: `request_id=…`. Ids of requests are UUIDs and those
 * of jobs ours, but this becomes SQL.
 */
const originLabel = (): string | null => {
  const { requestId = null, job = null } = currentOrigin() ?? {};
  const label = requestId === null ? job && `job=${job}` : `request_id=${requestId}`;
  return label !== null && /^[a-z_]+=[\w-]{1,50}$/.test(label) ? label : null;
};

/**
 * Names a transaction after its request or job, in `pg_stat_activity` and in `%a` of PostgreSQL's log. The statement is on its way
 * together with the next one, so nobody waits for it.
 */
const nameAfterOrigin = (session: postgres.TransactionSql): void => {
  const label = originLabel();
  if (label === null) return;
  // If it fails, so does the transaction, which reports it.
  session.unsafe(`set local application_name = '${label}'`).catch(() => {});
};

/**
 * A statement that is not prepared says in a comment what it is for (sqlcommenter). The text of a prepared one is its name in the
 * connection, so it stays as it is: a comment would have it planned anew for each request.
 */
const written = (
  text: string,
  parameters: readonly unknown[],
  settings: { prepare: boolean },
): [string, never[], { prepare: boolean }] => {
  const label = settings.prepare ? null : originLabel();
  const comment = label === null ? "" : ` /*${label.replace("=", "='")}'*/`;
  return [text + comment, parameters as never[], settings];
};

type Preparing = (
  text: string,
  parameters: readonly unknown[],
  settings: { prepare?: boolean },
) => { prepare: boolean };

/**
 * Drizzle declines prepared statements for queries without a name. Any such statement with parameters would be planned
 * anew at each run, and take two round trips: one for the types of the parameters, one for the rows.
 */
const preparingOf =
  (recurs: (text: string) => boolean): Preparing =>
  (text, parameters, settings) => ({
    prepare: settings.prepare !== false || (parameters.length > 0 && recurs(text)),
  });

/** Each connection keeps at most this many statements prepared beside the named ones. The text of some varies with their values. */
const mostPrepared = 500;

/** Whether a text has been run before. Remembers a bounded number of texts. */
const recurrence = (): ((text: string) => boolean) => {
  const recurring = new Set<string>();
  let once = new Set<string>();
  return (text) => {
    if (recurring.has(text)) return true;
    if (recurring.size >= mostPrepared) return false;
    if (once.delete(text)) {
      recurring.add(text);
      return true;
    }
    if (once.size >= mostPrepared) once = new Set();
    once.add(text);
    return false;
  };
};

/** Starts when it is awaited, as the driver's own statements do. */
const statementOf = (run: (rows: "objects" | "arrays") => Promise<unknown>): Statement => ({
  values: () => run("arrays"),
  // biome-ignore lint/suspicious/noThenProperty: drizzle awaits it
  then: (onDone, onFailed) => run("objects").then(onDone, onFailed),
});

const tooLate = () => new DatabaseTrouble("away", "The database did not answer in time");

const signal = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

/** A semaphore with as many permits as connections, first come first served. */
const slotsOf = ({ name, connections, longestQueue }: PoolOptions) => {
  let free = connections;
  const queue = new Set<() => void>();
  const labels = { "db.client.connection.pool.name": name };
  const waited = connectionWait.at(labels);
  watch(name, () => ({ used: connections - free, idle: free, waiting: queue.size }));
  const release = () => {
    const [next] = queue;
    if (next === undefined) free += 1;
    else {
      queue.delete(next);
      next();
    }
  };
  return {
    take: async (allowed: Allowance): Promise<() => void> => {
      if (free > 0) {
        free -= 1;
        return release;
      }
      if (queue.size >= longestQueue) {
        connectionTimeouts.add(labels);
        throw new DatabaseTrouble("busy", "Too many callers wait for the database");
      }
      const begunAt = performance.now();
      const turn = signal();
      queue.add(turn.resolve);
      try {
        await allowed.spend(() => turn.promise, noneFree);
      } catch (error) {
        // It may have got its permit in the same moment.
        if (!queue.delete(turn.resolve)) release();
        connectionTimeouts.add(labels);
        throw error;
      } finally {
        waited((performance.now() - begunAt) / 1_000);
      }
      return release;
    },
  };
};

/** Tests open many pools of one name; the last one counts. */
const watched = new Map<string, () => { used: number; idle: number; waiting: number }>();

const watch = (name: string, read: () => { used: number; idle: number; waiting: number }): void => {
  watched.set(name, read);
};

registry.onRead(() => {
  for (const [name, read] of watched) {
    const pool = { "db.client.connection.pool.name": name };
    const { used, idle, waiting } = read();
    connectionCount.set({ ...pool, "db.client.connection.state": "used" }, used);
    connectionCount.set({ ...pool, "db.client.connection.state": "idle" }, idle);
    connectionWaiters.set(pool, waiting);
  }
});

const noneFree = () => new DatabaseTrouble("busy", "No connection to the database became free in time");
