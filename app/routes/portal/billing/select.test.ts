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
const numbers = (params: Record<string, string>) => selected(rows, params).rows.map(({ number }) => number.slice(-1));

describe("selected invoices", () => {
  it("are sorted newest first", () => {
    expect(numbers({})).toEqual(["3", "2", "1"]);
    expect(selected(rows, {}).isNarrowed).toBe(false);
  });

  it.each([
    ["kind", { kind: "credit_note" }, ["3"]],
    ["year", { year: "2026" }, ["3", "2"]],
    ["invoice number", { q: "000001" }, ["1"]],
    ["one of several routes", { q: "hamburg" }, ["2"]],
    ["all of these together", { q: "antwerp", year: "2026", kind: "invoice" }, ["2"]],
  ])("can be filtered by %s", (_, params, expected) => {
    expect(numbers(params)).toEqual(expected);
  });

  it("ignore an unknown kind or year", () => {
    expect(numbers({ kind: "receipt", year: "1999" })).toEqual(["3", "2", "1"]);
    expect(selected(rows, {}).years).toEqual(["2026", "2025"]);
  });
});
