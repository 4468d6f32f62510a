import { describe, expect, it } from "vitest";
import { csvRows } from "./csv-rows.ts";

describe("csvRows", () => {
  it.each([
    { what: "plain cells", text: "a,b\n1,2\n", rows: [{ line: 2, cells: { a: "1", b: "2" } }] },
    {
      what: "Windows line ends and a byte order mark",
      text: "\uFEFFa,b\r\n1,2\r\n",
      rows: [{ line: 2, cells: { a: "1", b: "2" } }],
    },
    { what: "no line end at the end", text: "a,b\n1,2", rows: [{ line: 2, cells: { a: "1", b: "2" } }] },
    {
      what: "commas and quotes in quotes",
      text: 'a,b\n"x, ""y""",2\n',
      rows: [{ line: 2, cells: { a: 'x, "y"', b: "2" } }],
    },
    {
      what: "an empty last cell",
      text: "a,b\n1,\n3,4\n",
      rows: [
        { line: 2, cells: { a: "1", b: "" } },
        { line: 3, cells: { a: "3", b: "4" } },
      ],
    },
    { what: "an empty last cell at the text's end", text: "a,b\n1,", rows: [{ line: 2, cells: { a: "1", b: "" } }] },
    { what: "blank lines, without losing count", text: "a\n\n1\n", rows: [{ line: 3, cells: { a: "1" } }] },
    {
      what: "line ends in quotes",
      text: 'a,b\n"1\n2",3\n4,5\n',
      rows: [
        { line: 2, cells: { a: "1\n2", b: "3" } },
        { line: 4, cells: { a: "4", b: "5" } },
      ],
    },
    { what: "nothing", text: "", rows: [] },
  ])("reads $what", ({ text, rows }) => {
    expect(csvRows(text)).toEqual(rows);
  });

  it("reports the line of an unclosed quote", () => {
    expect(() => csvRows('a,b\n1,2\n"3,4\n')).toThrow("Line 3");
  });
});
