import { describe, expect, it } from "vitest";
import { selected } from "./select.ts";

const row = (number: string, kind: "invoice" | "credit_note", issuedAt: string, ...routes: string[]) => ({
  number,
  kind,
  issuedAt,
  routes,
});

const rows = [
  row("2025-000001", "invoice", "2025-12-26T10:00:00.000Z", "Shanghai – Rotterdam"),
  row("2026-000002", "invoice", "2026-02-01T10:00:00.000Z", "Santos – Antwerp", "Busan – Hamburg"),
  row("2026-000003", "credit_note", "2026-03-01T10:00:00.000Z"),
];
const numbers = (asked: Record<string, string>) => selected(rows, asked).rows.map(({ number }) => number.slice(-1));

describe("The billing history", () => {
  it("shows the newest first", () => {
    expect(numbers({})).toEqual(["3", "2", "1"]);
    expect(selected(rows, {}).isNarrowed).toBe(false);
  });

  it.each([
    ["a kind", { kind: "credit_note" }, ["3"]],
    ["a year", { year: "2026" }, ["3", "2"]],
    ["an invoice's number", { q: "000001" }, ["1"]],
    ["a route of several", { q: "hamburg" }, ["2"]],
    ["all of them together", { q: "antwerp", year: "2026", kind: "invoice" }, ["2"]],
  ])("is narrowed to %s", (_, asked, expected) => {
    expect(numbers(asked)).toEqual(expected);
  });

  it("passes over a kind or a year that there is not", () => {
    expect(numbers({ kind: "receipt", year: "1999" })).toEqual(["3", "2", "1"]);
    expect(selected(rows, {}).years).toEqual(["2026", "2025"]);
  });
});
