import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ClientGone } from "../platform/client-gone.ts";
import { openDatabase } from "../platform/db.server.ts";
import { readUpTo } from "../platform/request-body.server.ts";
import { cloneDatabase } from "../testing/database.ts";
import { conflict, Refusal } from "./errors.ts";
import { failureOf } from "./failure.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let pool: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await cloneDatabase();
  pool = openDatabase(database.url, { connections: 1 });
});
afterAll(async () => {
  await pool?.close();
  await database?.drop();
});

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

it.each([
  ["disk full", "53100", "database_full"],
  ["out of memory", "53200", "database_full"],
  ["too many connections", "53300", "database_full"],
  ["a configured limit", "53400", "database_full"],
  ["a read-only transaction", "25006", "database_read_only"],
  ["a statement's time-out", "57014", "database_busy"],
  ["a lock's time-out", "55P03", "database_busy"],
  ["a deadlock", "40P01", "database_busy"],
  ["a serialization failure", "40001", "database_busy"],
  ["a shutdown", "57P01", "database_away"],
  ["a connection failure", "08006", "database_away"],
  ["a broken constraint", "23505", "bug"],
  ["a mistake in SQL", "42601", "bug"],
])("%s (%s) is %s", async (_what, code, kind) => {
  const raise = sql.raw(`do $$ begin raise exception 'No' using errcode = '${code}'; end $$`);
  for (const error of [
    await thrownBy(pool.db.execute(raise)),
    await thrownBy(pool.db.transaction((tx) => tx.execute(raise))),
  ]) {
    const failure = failureOf(error);
    expect(failure.kind).toBe(kind);
    if (kind === "bug") expect(failure.refusal).toBeNull();
    else expect(failure.refusal).toMatchObject({ code: "unavailable", retryAfterSeconds: expect.any(Number) });
  }
});

it("A refused connection means that the database is unavailable", async () => {
  const away = openDatabase("postgres://nobody@127.0.0.1:1/nothing");
  expect(failureOf(await thrownBy(away.db.execute(sql`select 1`))).kind).toBe("database_away");
  await away.close();
});

it("A client that disconnects while sending its body is not reported as an outage", async () => {
  const cut = async function* () {
    yield new Uint8Array(10);
    throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  };
  const error = await thrownBy(readUpTo(100, null, cut()));
  expect(error).toBeInstanceOf(ClientGone);
  expect(failureOf(error)).toEqual({ kind: "client_gone", refusal: null });
});

it("A socket or file error outside the database driver is a bug, not a database outage", () => {
  expect(failureOf(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })).kind).toBe("bug");
  expect(failureOf(Object.assign(new Error("no such file"), { code: "ENOENT" })).kind).toBe("bug");
});

it("Refusals stay refusals, except that 'unavailable' means the payment provider is unavailable", () => {
  expect(failureOf(conflict("No")).kind).toBe("refused");
  expect(failureOf(new Refusal("unavailable", "Stripe is away")).kind).toBe("provider_away");
});
