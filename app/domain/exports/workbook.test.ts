import { describe, expect, it } from "vitest";
import { workbookCells } from "../../testing/workbook-cells.ts";
import type { ExportColumn } from "./table.ts";
import { workbook } from "./workbook.server.ts";

type Sample = { name: string; at: Date; day: string; cents: number; currency: string; days: number | null };

const columns: ExportColumn<Sample>[] = [
  { name: "vessel_name", kind: "text", value: ({ name }) => name },
  { name: "observed_at", kind: "instant", value: ({ at }) => at },
  { name: "valid_from", kind: "day", value: ({ day }) => day },
  { name: "amount_cents", kind: "cents", value: ({ cents }) => cents, currency: ({ currency }) => currency },
  { name: "transit_days", kind: "decimal", value: ({ days }) => days },
];

async function* inBatches(...batches: Sample[][]) {
  yield* batches;
}

const row = (more: Partial<Sample> = {}): Sample => ({
  ...{ name: "Pelorin Meridian", at: new Date("2026-11-20T09:30:00Z"), day: "2026-11-01" },
  ...{ cents: 431_050, currency: "USD", days: 30.5 },
  ...more,
});

/** Days since 1899-12-30. */
const excelDay = (time: string) => Date.parse(time) / 86_400_000 + 25_569;

describe("A workbook", () => {
  it("has a header in words, real dates in UTC, and money in units of its currency", async () => {
    const file = await workbook("Rates", columns, inBatches([row()], [row({ cents: 431_050, currency: "JPY" })]));
    const [header, first, second] = workbookCells(file);
    expect(header).toEqual(["Vessel name", "Observed at (UTC)", "Valid from", "Amount", "Transit days"]);
    expect(first?.[0]).toBe("Pelorin Meridian");
    expect(Number(first?.[1])).toBeCloseTo(excelDay("2026-11-20T09:30:00Z"), 6);
    expect(Number(first?.[2])).toBe(excelDay("2026-11-01T00:00:00Z"));
    expect(first?.slice(3)).toEqual(["4310.5", "30.5"]);
    expect(second?.[3]).toBe("431050");
  });

  it("keeps text that looks like a formula or like markup as text", async () => {
    const names = ["=1+1", '<b>&"', "@SUM(A1)", "'quoted'"];
    const file = await workbook("Rates", columns, inBatches(names.map((name) => row({ name, days: null }))));
    expect(
      workbookCells(file)
        .slice(1)
        .map(([name]) => name),
    ).toEqual(names);
  });

  it("may have no rows", async () => {
    expect(workbookCells(await workbook("Rates", columns, inBatches()))).toHaveLength(1);
  });

  it("is rejected with what reading the rows throws, and the next one is built", async () => {
    const broken = async function* (): AsyncGenerator<Sample[]> {
      yield [row()];
      throw new Error("The database is unavailable");
    };
    const [failed, next] = await Promise.allSettled([
      workbook("Rates", columns, broken()),
      workbook("Rates", columns, inBatches([row()])),
    ]);
    expect(failed).toMatchObject({ status: "rejected", reason: { message: "The database is unavailable" } });
    expect(next.status).toBe("fulfilled");
  });
});
