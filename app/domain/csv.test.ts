import { describe, expect, it } from "vitest";
import { type Cell, csv } from "./csv.ts";

const lineOf = (...cells: Cell[]): string => csv(["head"], [cells]).split("\r\n").slice(1, -1).join("\r\n");

describe("A cell", () => {
  it.each<[Cell, string]>([
    ["Rotterdam", "Rotterdam"],
    ["Tanger-Med, Maroc", '"Tanger-Med, Maroc"'],
    ['14" pipe', '"14"" pipe"'],
    ["two\r\nlines", '"two\r\nlines"'],
    ["a;b", '"a;b"'],
    [-12.5, "-12.5"],
    [true, "true"],
    [null, ""],
    ["", ""],
    ["1-2+3@4=5", "1-2+3@4=5"],
  ])("is written as RFC 4180 says: %j", (value, written) => expect(lineOf(value)).toBe(written));

  it.each<[string, string]>([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-cmd", "'-cmd"],
    ["@sum(1)", "'@sum(1)"],
    ["  =1+1", "'  =1+1"],
    ["＝1+1", "'＝1+1"],
    ["\t=1", "\"'\t'=1\""],
    ["\r=1", '"\'\r=1"'],
    ["\n=1", '"\'\n=1"'],
    ["=1,2", '"\'=1,2"'],
    // Cells of spreadsheets that separate them by semicolons or tabs.
    ["a;=1+1", '"a;\'=1+1"'],
    ["a; @sum(1);-2", "\"a; '@sum(1);'-2\""],
    ["a\t＋1", '"a\t\'＋1"'],
  ])("is not evaluated by a spreadsheet: %j", (value, written) => expect(lineOf(value)).toBe(written));
});
