import { setImmediate as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openFile } from "./file.ts";
import { FindingList } from "./findings.ts";
import type { Portion } from "./portions.ts";
import { readFile } from "./read-file.server.ts";

const world = { now: new Date("2026-11-16T12:00:00Z"), exchangeRates: [] };

const report = (row: number, baseRate: number) =>
  JSON.stringify({
    route_code: "C-CNSHA-NLRTM-PEL9",
    report_type: "rate",
    observed_at: "2026-11-16T06:00:00Z",
    external_id: `line-${row}-${"é".repeat(40)}`,
    data: {
      service_level: "standard",
      equipment_type: "45G1",
      currency: "USD",
      basis: "per_container",
      base_rate: baseRate,
    },
  });
const badRows = [2, 5_000, 14_999];
const fileOf = (rows: number) =>
  Array.from({ length: rows }, (_, i) => `${report(i + 1, badRows.includes(i + 1) ? -1 : 4310)}\n`).join("");

async function* inChunks(text: string, size = 64 * 1024) {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const portionsIn = async (content: AsyncIterable<Uint8Array>): Promise<Portion[]> => {
  const portions: Portion[] = [];
  for await (const portion of readFile(await openFile(content), world)) portions.push(portion);
  return portions;
};

const totalOf = (portions: readonly Portion[]) => {
  const errors = new FindingList();
  for (const portion of portions) errors.merge(portion.errors);
  return {
    rows: portions.reduce((sum, { rows }) => sum + rows, 0),
    stagedRows: portions.reduce((sum, { stagedRows }) => sum + stagedRows, 0),
    errors: errors.all(),
    firstRows: portions.flatMap(({ firstRows }) => firstRows.map(({ row }) => row)),
    lines: Buffer.concat(portions.map(({ lines }) => lines)).toString(),
  };
};

describe("A file that is read in a thread", () => {
  it("gives the rows and findings of one that is read at once, in order", async () => {
    const text = fileOf(15_000);
    expect(text.length).toBeGreaterThan(3 * 1024 * 1024);
    const portions = await portionsIn(inChunks(text));
    expect(portions.length).toBeGreaterThan(1);
    const { lines, ...total } = totalOf(portions);
    expect(total).toMatchObject({ rows: 15_000, stagedRows: 14_997, firstRows: [1, 2, 3, 4, 5, 6, 7, 8] });
    expect(total.errors.count).toBe(3);
    expect(total.errors.first.map(({ row, column, code }) => [row, column, code])).toEqual(
      badRows.map((row) => [row, "data.base_rate", "negative"]),
    );
    const rows = lines.trimEnd().split("\n");
    const first = totalOf(await portionsIn(inChunks(fileOf(100))))
      .lines.trimEnd()
      .split("\n");
    expect(rows.slice(0, first.length)).toEqual(first);
    expect(rows.at(-1)).toMatch(/^15000\t.*line-15000-é{40}/);
  });

  it("throws what the upload throws", async () => {
    const broken = new Error("The connection was reset");
    const content = (async function* () {
      yield* inChunks(fileOf(15_000));
      throw broken;
    })();
    await expect(portionsIn(content)).rejects.toBe(broken);
  });

  it("ends the upload when its reader stops", async () => {
    let isClosed = false;
    const content = (async function* () {
      try {
        for (;;) {
          yield* inChunks(fileOf(5_000));
          await pause();
        }
      } finally {
        isClosed = true;
      }
    })();
    for await (const _ of readFile(await openFile(content), world)) break;
    await expect.poll(() => isClosed).toBe(true);
  });
});
