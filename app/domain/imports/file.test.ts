import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { csv } from "../csv.ts";
import { formatOf, openFile, type ReadRow, readRows } from "./file.ts";
import { formats, importKinds } from "./formats.ts";
import { longestLine } from "./text-blocks.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const ratesColumns = formats.rates.columns.required;
const header = ratesColumns.join(",");

/** As it arrives: in pieces of some size. */
async function* inPieces(content: Uint8Array, size = 7) {
  for (let from = 0; from < content.length; from += size) yield content.slice(from, from + size);
}

const rowsIn = async (content: Uint8Array | string, size?: number): Promise<ReadRow[]> => {
  const file = await openFile(inPieces(typeof content === "string" ? bytes(content) : content, size));
  const rows: ReadRow[] = [];
  for await (const batch of readRows(file.format, file.content.whole())) rows.push(...batch);
  return rows;
};

describe("Decoding a file", () => {
  it.each<[string, Uint8Array, RegExp]>([
    ["nothing", new Uint8Array(), /^The file is empty/],
    ["blank lines only", bytes(" \r\n\n"), /^The file is empty/],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x61, 0]), /UTF-16. Save it as UTF-8/],
    ["a workbook", bytes("PK\u0003\u0004"), /workbook or an archive/],
    ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]), /not a text file/],
    ["Latin-1", new Uint8Array([0xe4, 10, 0x62, 10]), /^Line 1 is not UTF-8/],
    ["one endless line", new Uint8Array(longestLine + 1).fill(0x61), /longer than 1 MB/],
  ])("rejects bytes that are %s", async (_, content, message) => {
    await expect(rowsIn(content, 70_000)).rejects.toMatchObject({
      code: "invalid",
      fields: [{ path: "file", message: expect.stringMatching(message) }],
    });
  });

  it.each<[string, number[] | Uint8Array, string]>([
    ["not UTF-8", [0x62, 10, 0x62, 0xe4, 10], "encoding"],
    ["a NUL", [0x62, 10, 0x62, 0, 10], "encoding"],
    ["too long", [0x62, 10, ...new Uint8Array(longestLine + 1).fill(0x61)], "too_long"],
  ])("ends at a line that is %s", async (_, wrong, code) => {
    const rows = await rowsIn(
      Buffer.concat([bytes(`${header}\n`), Uint8Array.from(wrong)]),
      wrong.length > 100 ? 100_000 : 1,
    );
    expect(rows.at(-1)).toMatchObject({ row: 3, finding: { row: 3, column: "", code } });
  });

  it("drops a byte order mark", async () => {
    expect(await rowsIn(`\uFEFF${header}\n`)).toEqual([]);
  });
});

describe("The template of an import", () => {
  const templateOf = (name: string) =>
    readFileSync(new URL(`../../../public/import-templates/${name}`, import.meta.url), "utf8");

  it.each(importKinds.filter((kind) => formats[kind].syntax === "csv"))("has every column of %s", (kind) => {
    const { template, columns } = formats[kind];
    const names = templateOf(template).split("\n", 1)[0]?.trim().split(",");
    expect(names?.toSorted()).toEqual([...columns.required, ...columns.optional].toSorted());
  });
});

describe("The first line of a file", () => {
  it.each([
    ["a template's header", header, { kind: "rates", syntax: "csv", separator: "," }],
    ["semicolons", header.replaceAll(",", ";"), { kind: "rates", separator: ";" }],
    ["tabs", header.replaceAll(",", "\t"), { kind: "rates", separator: "\t" }],
    ["quotes", `"${header.replaceAll(",", '","')}"`, { kind: "rates" }],
    ["fields", '{"route_code":"A","report_type":"rate","observed_at":"","data":{}}', { kind: "reports" }],
  ])("determines the format: %s", (_, text, format) => {
    expect(formatOf(text)).toMatchObject(format);
  });

  it.each([
    ["data", "C-CNSHA-NLRTM-ABCD,standard,2026-11-01", /^The first line must have the column names/],
    ["a column missing", header.replace(",amount", ""), /^This column is missing: amount/],
    ["a column twice", `${header},amount`, /^The column amount is in the first line twice/],
    ["a column too many", `${header},colour`, /^The column colour is unknown/],
    ["a nameless column", `${header},`, /^The column without a name is unknown/],
    ["an open quote", `"${header}`, /^A quote in the first line is not closed/],
    ["a JSON array", "[{}]", /^This file is a JSON array/],
    ["half an object", '{"route_code":', /^Line 1 is not a JSON object/],
    ["reports as CSV", formats.reports.columns.required.join(","), /imported as JSON Lines/],
  ])("is rejected if it is %s", (_, text, message) => {
    expect(() => formatOf(text)).toThrow(
      expect.objectContaining({ fields: [{ path: "file", message: expect.stringMatching(message) }] }),
    );
  });

  it("is rejected if it contradicts the chosen kind", () => {
    expect(() => formatOf(header, "routes")).toThrow(
      expect.objectContaining({
        fields: [{ path: "kind", message: expect.stringMatching(/columns of rates, not of routes/) }],
      }),
    );
    expect(formatOf(header, "rates").kind).toBe("rates");
  });
});

describe("Rows", () => {
  // The reader trims cells, and refuses those that look like formulas.
  const cell = fc.string({ unit: "grapheme" }).map((text) => text.replace(/^[=+\-@\s]+/, "").trim());
  const anyRow = fc.tuple(...ratesColumns.map(() => cell)).filter((cells) => cells.some((each) => each !== ""));
  const anySize = fc.integer({ min: 1, max: 50 });

  it("survive a round trip, whatever they contain and however they arrive", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 8 }), anySize, async (rows, size) => {
        const read = await rowsIn(csv([...ratesColumns], rows), size);
        expect(read.map((row) => ("values" in row ? ratesColumns.map((column) => row.values[column]) : row))).toEqual(
          rows,
        );
      }),
    );
  });

  it("are read or reported as errors for any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.constantFrom(",", ";", "\t"), anySize, async (text, separator, size) => {
        const file = `${header.replaceAll(",", separator)}\n${text}`;
        const lines = file.split("\n").length;
        for (const { row } of await rowsIn(file, size)) expect(row).toBeLessThanOrEqual(lines);
      }),
    );
  });

  it("are read from JSON Lines", async () => {
    const first = { ...Object.fromEntries(formats.routes.columns.required.map((column) => [column, "A"])) };
    const text = `${JSON.stringify({ ...first, via_unlocodes: ["CNNGB", "SGSIN"], distance_nm: 5, status: null })}\n\nnothing\n`;
    expect(await rowsIn(text)).toEqual([
      { row: 1, values: { ...first, via_unlocodes: "CNNGB|SGSIN", distance_nm: "5", status: "" } },
      { row: 3, finding: expect.objectContaining({ row: 3, code: "syntax", value: "nothing" }) },
    ]);
  });

  it.each(["=1+1", "+1", "-cmd", "@sum", "\t=1", "\r=1"])("are rejected with a formula: %j", async (formula) => {
    const cells = ratesColumns.map((column) => (column === "charge_code" ? `"${formula}"` : "1"));
    expect(await rowsIn(`${header}\n${cells.join(",")}\n`)).toMatchObject([
      { row: 2, finding: { column: "charge_code", code: "formula", value: formula } },
    ]);
    const report = { route_code: "A", report_type: "rate", observed_at: "", data: { vessel_name: formula } };
    expect(await rowsIn(JSON.stringify(report))).toMatchObject([
      { row: 1, finding: { column: "data.vessel_name", code: "formula", value: formula } },
    ]);
  });

  it("may have negative numbers", async () => {
    const cells = ratesColumns.map((column) => (column === "amount" ? "-5.5" : "1"));
    expect(await rowsIn(`${header}\n${cells.join(",")}\n`)).toMatchObject([{ values: { amount: "-5.5" } }]);
  });
});
