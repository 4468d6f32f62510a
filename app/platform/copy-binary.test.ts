import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloneDatabase } from "../testing/database.ts";
import { BinaryRows, binaryCopy } from "./copy-binary.ts";
import { copyRows, openDatabase } from "./db.server.ts";

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let pool: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  database = await cloneDatabase();
  pool = openDatabase(database.url, { connections: 1 });
  await pool.db.execute(sql`create type mood as enum ('calm', 'rough')`);
  await pool.db.execute(
    sql`create table copied (number integer, share float8, at timestamptz(3), words text, sea mood, facts jsonb)`,
  );
});
afterAll(async () => {
  await pool?.close();
  await database?.drop();
});

type Row = { number?: number; share?: number; at?: string; words?: string; sea?: string; facts?: unknown };

const write = (to: BinaryRows, { number, share, at, words, sea, facts }: Row) => {
  to.beginRow(6);
  to.integer(number);
  to.doublePrecision(share);
  to.timestamptz(at === undefined ? null : Date.parse(at));
  to.text(words);
  to.text(sea);
  to.jsonb(facts);
};

async function* partsOf(rows: Row[], to: BinaryRows) {
  for (const row of rows) {
    write(to, row);
    yield to.takeAll();
  }
}

const columns = ["number", "share", "at", "words", "sea", "facts"];
const copied = async (rows: Row[], to = new BinaryRows()): Promise<unknown[]> => {
  await pool.db.execute(sql`truncate copied`);
  await copyRows(pool.db, "copied", columns, binaryCopy(partsOf(rows, to)), { format: "binary" });
  return pool.db.execute(
    sql`select number, share, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, words, sea, facts from copied`,
  );
};

describe("COPY in binary", () => {
  it.each<Row>([
    { number: 0, share: 0, at: "2000-01-01T00:00:00.000Z", words: "", sea: "calm", facts: [] },
    {
      number: 2_147_483_647,
      share: 0.1,
      at: "2026-11-25T06:30:15.123Z",
      words: "Rotterdam",
      sea: "rough",
      facts: { a: 1 },
    },
    {
      number: -2_147_483_648,
      share: -1e300,
      at: "1969-07-20T20:17:40.999Z",
      words: "\t\\N\n",
      sea: "calm",
      facts: "x",
    },
    { number: -1, share: 7, at: "9999-12-31T23:59:59.999Z", words: "Ålesund 上海 🚢", sea: "calm", facts: ["Łódź"] },
  ])("writes what it was given: $words", async (row) => {
    expect(await copied([row])).toEqual([row]);
  });

  it("writes NULL for absent values", async () => {
    const row = { number: null, share: null, at: null, words: null, sea: null, facts: null };
    expect(await copied([{}])).toEqual([row]);
  });

  it("takes rows that are larger than its buffer, in any number of parts", async () => {
    const rows = [{ words: "é".repeat(1_000) }, { words: "short" }, { facts: ["x".repeat(3_000)] }];
    expect(await copied(rows, new BinaryRows(16))).toMatchObject(rows);
    expect(await copied([])).toEqual([]);
  });

  it.each([2_147_483_648, -2_147_483_649, 1.5, Number.NaN])("refuses %d as an integer", (number) => {
    expect(() => new BinaryRows().integer(number)).toThrow(RangeError);
  });

  it("refuses an invalid time", () => {
    expect(() => new BinaryRows().timestamptz(Date.parse("yesterday"))).toThrow(RangeError);
  });

  it("copies nothing if a row has too few fields", async () => {
    const rows = new BinaryRows();
    write(rows, { number: 1 });
    rows.beginRow(1);
    rows.integer(2);
    async function* both() {
      yield rows.takeAll();
    }
    await pool.db.execute(sql`truncate copied`);
    const copying = copyRows(pool.db, "copied", columns, binaryCopy(both()), { format: "binary" });
    await expect(copying).rejects.toThrow("row field count is 1, expected 6");
    expect(await pool.db.execute(sql`select * from copied`)).toEqual([]);
  });
});
