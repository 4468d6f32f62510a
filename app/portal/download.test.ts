import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../platform/db.server.ts";
import { asRequest } from "../platform/time-budget.server.ts";
import { cloneDatabase } from "../testing/database.ts";
import type { ClonedDatabase } from "../testing/test-server.ts";
import { csvResponse, csvStreamResponse, fileName, streamOf } from "./download.server.ts";

let database: ClonedDatabase;
let pool: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await cloneDatabase();
  pool = openDatabase(database.url);
});
afterAll(async () => {
  await pool.close();
  await database.drop();
});

it("A download may wait for the database longer than other requests", async () => {
  const budgetMs = 2_000;
  const client = { request: new Request("http://localhost"), context: {} };
  const parts = async function* () {
    yield "first\n";
    for (let part = 0; part < 3; part += 1) {
      await pool.db.execute(sql`select pg_sleep(1)`);
      yield `part ${part}\n`;
    }
  };
  const text = await asRequest(async () => new Response(await streamOf(parts(), client)).text(), budgetMs);
  expect(text).toBe("first\npart 0\npart 1\npart 2\n");
});

describe("A CSV file that people download", () => {
  const mark = [0xef, 0xbb, 0xbf];
  const bytesOf = async (response: Response) => [...new Uint8Array(await response.arrayBuffer())];
  async function* parts(...texts: string[]) {
    yield* texts;
  }
  const args = { request: new Request("http://localhost/a.csv"), context: {} };

  it.each([[["a,b\r\n", "1,2\r\n"]], [[]]])("begins with one byte order mark: %j", async (texts) => {
    const expected = [...mark, ...Buffer.from(texts.join(""))];
    expect(await bytesOf(csvResponse(texts.join(""), "a.csv"))).toEqual(expected);
    expect(await bytesOf(await csvStreamResponse(parts(...texts), "a.csv", args))).toEqual(expected);
  });
});

it.each([
  ["C-CNSHA-NLRTM-PEL9_2026-Q4", "C-CNSHA-NLRTM-PEL9_2026-Q4.csv"],
  ['a"; filename="b.exe', "a_filename_b.exe.csv"],
  ["a\r\nSet-Cookie: b", "a_Set-Cookie_b.csv"],
  ["../../etc/passwd", ".._.._etc_passwd.csv"],
  ["\u202ecod\\Łódź", "_cod_d_.csv"],
])("A file is named by letters, digits, dots and dashes only: %j", (code, name) => {
  expect(fileName(code, "csv")).toBe(name);
  expect(csvResponse("", fileName(code, "csv")).headers.get("Content-Disposition")).toBe(
    `attachment; filename="${name}"`,
  );
});
