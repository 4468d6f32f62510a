/**
 * Migrates a database to the current schema. Safe at every start, from several processes at once, and while other releases
 * use the database: docs/decisions/0055.
 */
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { type Migration, readMigrations } from "./migrations.ts";
import { type Applied, judge, SchemaTrouble } from "./schema-version.ts";

/** A connection, or a transaction on one. */
export type Session = Pick<postgres.Sql, "unsafe">;

/** The key of the advisory lock that lets one process migrate while the others wait. The number is arbitrary. */
export const migrationLock = 7_463_502;

/**
 * How long a migration waits for a lock. Statements of running services queue behind it, so it gives up early and tries
 * again.
 */
const lockTimeoutMs = 2_000;
const defaultPatienceMs = 60_000;

/** @throws SchemaTrouble */
export const migrate = async (
  databaseUrl: string,
  options: { migrations?: Migration[]; patienceMs?: number } = {},
): Promise<void> => {
  const client = postgres(databaseUrl, {
    max: 1,
    max_lifetime: null,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: "shipping-route-data-service migrations" },
  });
  try {
    await client`select pg_advisory_lock(${migrationLock})`;
    await createJournal(client);
    const { pending } = judge(await appliedTo(client), options.migrations ?? readMigrations());
    for (const migration of pending) await applyPatiently(client, migration, options.patienceMs ?? defaultPatienceMs);
  } finally {
    await client.end({ timeout: 5 });
  }
};

/** Applies these migrations, in a transaction that the caller has opened. */
export const applyWithin = async (transaction: Session, migrations: Migration[]): Promise<void> => {
  await createJournal(transaction);
  for (const migration of migrations) await apply(transaction, migration);
};

/** The tables are those of drizzle's own migrator, and one that says which releases run with each migration. */
const createJournal = async (session: Session): Promise<void> => {
  await session.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    create table if not exists drizzle.compatibility (created_at bigint primary key, name text not null, needs bigint not null)`);
};

const appliedTo = async (session: Session): Promise<Applied[]> => {
  const rows = await session.unsafe<{ name: string | null; created_at: string; needs: string | null }[]>(`
    select name, migrations.created_at, needs from drizzle.__drizzle_migrations migrations
    left join drizzle.compatibility using (created_at) order by migrations.created_at`);
  return rows.map(({ name, created_at, needs }) => ({
    name,
    createdAt: Number(created_at),
    needs: needs === null ? null : Number(needs),
  }));
};

const apply = async (session: Session, { statements, name, hash, createdAt, needs }: Migration): Promise<void> => {
  for (const statement of statements) await session.unsafe(statement);
  await session.unsafe("insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)", [
    hash,
    createdAt,
  ]);
  await session.unsafe(
    "insert into drizzle.compatibility (created_at, name, needs) values ($1, $2, $3) on conflict (created_at) do nothing",
    [createdAt, name, needs],
  );
};

/** Each migration in its own transaction, so that its locks are held no longer than it takes. */
const applyPatiently = async (client: postgres.Sql, migration: Migration, patienceMs: number): Promise<void> => {
  const deadline = performance.now() + patienceMs;
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 2, 4_000)) {
    try {
      await client.begin(async (transaction) => {
        await transaction.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
        await apply(transaction, migration);
      });
      return;
    } catch (error) {
      if (!isLockFailure(error)) throw error;
      if (performance.now() + pauseMs > deadline) throw await lockTrouble(client, migration);
      await sleep(pauseMs);
    }
  }
};

/** lock_not_available, deadlock_detected. */
const isLockFailure = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");

const lockTrouble = async (client: postgres.Sql, { name }: Migration): Promise<SchemaTrouble> => {
  const [oldest] = await client<{ pid: number; application: string; seconds: number }[]>`
    select pid, application_name as application, extract(epoch from clock_timestamp() - xact_start)::int as seconds
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`;
  const holder = oldest
    ? ` The oldest open transaction is ${oldest.seconds} s old: process ${oldest.pid} of PostgreSQL, ${oldest.application || "unnamed"}.`
    : "";
  return new SchemaTrouble(
    `The migration ${name} could not lock its tables, because other transactions use them. Nothing was changed by it.${holder} ` +
      "End long transactions (backups, reports), then start again.",
  );
};
