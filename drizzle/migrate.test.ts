import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloneDatabase } from "../app/testing/database.ts";
import { migrate } from "./migrate.ts";
import { type Migration, readMigrations } from "./migrations.ts";
import { type Applied, judge, SchemaTrouble } from "./schema-version.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: postgres.Sql;
beforeAll(async () => {
  database = await cloneDatabase();
  sql = postgres(database.url, { max: 2, onnotice: () => {} });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const migration = (createdAt: number, needs = 0, statements: string[] = []): Migration => ({
  name: `m${createdAt}`,
  createdAt,
  hash: "",
  statements,
  needs,
});
const applied = (createdAt: number, needs: number | null = 0): Applied => ({ name: `m${createdAt}`, createdAt, needs });
const signal = () => {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};
const known = [migration(1), migration(2), migration(3)];

describe("A release and a schema", () => {
  it.each<[string, Applied[], number[], number[]]>([
    ["an empty database", [], [1, 2, 3], []],
    ["an older schema", [applied(1)], [2, 3], []],
    ["its own schema", [1, 2, 3].map((at) => applied(at, null)), [], []],
    ["a newer schema with additions", [applied(3), applied(4), applied(5)], [], [4, 5]],
    ["a newer schema without what this release no longer uses", [applied(3), applied(4, 3)], [], [4]],
  ])("fit: %s", (_case, inDatabase, pending, newer) => {
    const verdict = judge(inDatabase, known);
    expect(verdict.pending.map(({ createdAt }) => createdAt)).toEqual(pending);
    expect(verdict.newer.map(({ createdAt }) => createdAt)).toEqual(newer);
  });

  it.each<[string, Applied]>([
    ["without what this release uses", applied(4, 4)],
    ["of which nothing is known", applied(4, null)],
  ])("do not fit: a newer schema %s", (_case, last) => {
    expect(() => judge([applied(3), last], known)).toThrow(SchemaTrouble);
    expect(() => judge([applied(3), last, applied(5)], known)).toThrow(/newer release.*\(m4\).*restore a backup/);
  });
});

describe("Migrating", () => {
  const last = readMigrations().at(-1)?.createdAt ?? 0;

  it("changes nothing in a current database, and refuses one that is too new", async () => {
    await migrate(database.url);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('', ${last + 1})`;
    await expect(migrate(database.url)).rejects.toThrow(SchemaTrouble);
    await sql`insert into drizzle.compatibility (created_at, name, needs) values (${last + 1}, 'next', ${last})`;
    await migrate(database.url);
  });

  it("gives up waiting for a table that others use, changes nothing and says who uses it; later it goes on", async () => {
    const next = [...readMigrations(), migration(last + 2, 0, ["alter table accounts add column later integer"])];
    const [release, locked] = [signal(), signal()];
    const reader = sql.begin(async (transaction) => {
      await transaction`lock table accounts in access share mode`;
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    await expect(migrate(database.url, { migrations: next, patienceMs: 0 })).rejects.toThrow(
      /migration m\d+ could not lock its tables.*oldest open transaction is \d+ s old/,
    );
    const waiting = migrate(database.url, { migrations: next });
    release.resolve();
    await Promise.all([reader, waiting]);
    const [column] =
      await sql`select from information_schema.columns where table_name = 'accounts' and column_name = 'later'`;
    expect(column).toBeDefined();
    const [recorded] = await sql`select name, needs from drizzle.compatibility where created_at = ${last + 2}`;
    expect(recorded).toEqual({ name: `m${last + 2}`, needs: "0" });
  });

  it("is done once by several processes that start together", async () => {
    const together = await cloneDatabase();
    const next = [...readMigrations(), migration(last + 1, 0, ["create table once (id integer)"])];
    try {
      await Promise.all([1, 2, 3].map(() => migrate(together.url, { migrations: next })));
    } finally {
      await together.drop();
    }
  });
});
