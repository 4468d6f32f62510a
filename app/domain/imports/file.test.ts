import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import fc from "#app/testing/property-testing.ts";
import { csv } from "../csv.ts";
import type { CellError } from "./cell-error.ts";
import { cellRows, columnsOf, formatOf, jsonRows, largestFile, maxErrors, textIn } from "./file.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const header = columnsOf.rates.required.join(",");

describe("Decoding a file", () => {
  it.each<[string, Uint8Array, RegExp]>([
    ["nothing", new Uint8Array(), /^The file is empty/],
    ["blank lines only", bytes(" \r\n\n"), /^The file is empty/],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x61, 0]), /UTF-16. Save it as UTF-8/],
    ["a workbook", bytes("PK\u0003\u0004"), /workbook or an archive/],
    ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]), /not a text file/],
    ["Latin-1", new Uint8Array([0x61, 10, 0x62, 10, 0xe4, 10]), /^Line 3 is not UTF-8/],
  ])("rejects bytes that are %s", (_, content, message) => {
    expect(() => textIn(content)).toThrow(
      expect.objectContaining({ code: "invalid", fields: [{ path: "file", message: expect.stringMatching(message) }] }),
    );
  });

  it("rejects more than 20 MB as too large", () => {
    const message = expect.stringMatching(/larger than 20 MB/);
    expect(() => textIn(new Uint8Array(largestFile + 1).fill(0x61))).toThrow(
      expect.objectContaining({ code: "too_large", fields: [{ path: "file", message }] }),
    );
  });

  it("drops a byte order mark", () => {
    expect(textIn(bytes("\uFEFFa,b"))).toBe("a,b");
  });
});

describe("The template of an import", () => {
  it.each(["routes", "rates"] as const)("has every column of %s", (kind) => {
    const template = readFileSync(new URL(`../../../public/import-templates/${kind}.csv`, import.meta.url), "utf8");
    const { required, optional } = columnsOf[kind];
    expect(template.split("\n", 1)[0]?.trim().split(",").sort()).toEqual([...required, ...optional].sort());
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
    ["data", "C-CNSHA-NLRTM-ABCD,standard,2026-11-01", /^The first line does not name the columns/],
    ["a column missing", header.replace(",amount", ""), /^amount: missing/],
    ["a column twice", `${header},amount`, /^The column amount stands twice/],
    ["a column too many", `${header},colour`, /^The column colour is unknown/],
    ["a nameless column", `${header},`, /^The column without a name is unknown/],
    ["an open quote", `"${header}`, /^A quote in the first line is not closed/],
    ["a JSON array", "[{}]", /^This is a JSON array/],
    ["half an object", '{"route_code":', /^Line 1 is not a JSON object/],
    ["reports as CSV", columnsOf.reports.required.join(","), /imported as JSON Lines/],
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
  const columns = columnsOf.rates.required;
  // The writer adds an apostrophe to cells that look like formulas, and the reader trims cells.
  const cell = fc.string({ unit: "grapheme" }).map((text) => text.replace(/^[=+\-@\s]+/, "").trim());
  const anyRow = fc.tuple(...columns.map(() => cell)).filter((cells) => cells.some((each) => each !== ""));

  it("survive a round trip, whatever they contain", () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 8 }), (rows) => {
        const text = csv([...columns], rows);
        const errors: CellError[] = [];
        const read = [...cellRows(text, formatOf(text), errors)];
        expect(errors).toEqual([]);
        expect(read.map(({ cells }) => columns.map((column) => cells[column]))).toEqual(rows);
      }),
    );
  });

  it("are read or reported as errors for any text", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(",", ";", "\t"), (text, separator) => {
        const errors: CellError[] = [];
        const lines = text.split("\n").length;
        for (const { line } of cellRows(text, { kind: "rates", syntax: "csv", separator }, errors)) {
          expect(line).toBeLessThanOrEqual(lines);
        }
        for (const { line } of errors) expect(line).toBeLessThanOrEqual(lines);
      }),
    );
  });

  it("are read from JSON Lines", () => {
    const text = '{"code":"A","via_unlocodes":["CNNGB","SGSIN"],"distance_nm":5,"status":null}\n\nnothing\n';
    const errors: CellError[] = [];
    expect([...cellRows(text, { kind: "routes", syntax: "json_lines" }, errors)]).toEqual([
      { line: 1, cells: { code: "A", via_unlocodes: "CNNGB|SGSIN", distance_nm: "5", status: "" } },
    ]);
    expect(errors).toMatchObject([{ line: 3, value: "nothing" }]);
  });

  it.each([
    ["JSON", (errors: CellError[]) => jsonRows("wrong\n".repeat(maxErrors + 5), errors)],
    [
      "CSV",
      (errors: CellError[]) =>
        cellRows(header + "\nwrong".repeat(maxErrors + 5), { kind: "rates", syntax: "csv", separator: "," }, errors),
    ],
  ])("of %s are not read beyond the maximum number of errors", (_, rowsWith) => {
    const errors: CellError[] = [];
    expect([...rowsWith(errors)]).toEqual([]);
    expect(errors).toHaveLength(maxErrors + 1);
    expect(errors.at(-1)?.message).toMatch(/^Too many errors/);
  });
});
