import { describe, expect, it } from "vitest";
import { countsOf, selected } from "./select.ts";

const row = (
  routeName: string,
  status: "active" | "expiring_soon" | "cancelled" | "expired",
  endDate: string,
  charge?: string,
) => ({
  routeName,
  routeCode: `${routeName.slice(0, 3).toUpperCase()}-1`,
  status,
  endDate,
  nextCharge: charge ? { date: charge } : null,
});

const rows = [
  row("Shanghai to Rotterdam", "active", "2027-03-01", "2027-02-26"),
  row("Santos to Antwerp", "expiring_soon", "2026-11-25"),
  row("Busan to Hamburg", "cancelled", "2026-12-10"),
  row("Mumbai to Felixstowe", "expired", "2026-02-01"),
  row("Jebel Ali to Genoa", "expired", "2026-08-01"),
];
const names = (asked: Record<string, string>) => {
  const { running, ended } = selected(rows, asked);
  return [...running, ...ended].map(({ routeName }) => routeName.split(" ")[0]);
};

describe("The list of subscriptions", () => {
  it("shows what ends soonest first, and below what ended last", () => {
    expect(names({})).toEqual(["Santos", "Busan", "Shanghai", "Jebel", "Mumbai"]);
  });

  it.each([
    [{ status: "cancelled" }, ["Busan"]],
    [{ status: "expired" }, ["Jebel", "Mumbai"]],
    [{ status: "nonsense" }, ["Santos", "Busan", "Shanghai", "Jebel", "Mumbai"]],
    [{ q: " to ROTTERDAM " }, ["Shanghai"]],
    [{ q: "SAN-1" }, ["Santos"]],
    [{ q: "genoa", status: "active" }, []],
    [{ sort: "charge" }, ["Shanghai", "Santos", "Busan", "Jebel", "Mumbai"]],
    [{ sort: "route" }, ["Busan", "Santos", "Shanghai", "Jebel", "Mumbai"]],
  ])("is narrowed and ordered by its address: %j", (asked, expected) => {
    expect(names(asked as Record<string, string>)).toEqual(expected);
  });

  it("counts by status, whatever is shown", () => {
    expect(countsOf(rows)).toEqual({ all: 5, active: 1, expiring_soon: 1, cancelled: 1, expired: 2 });
  });
});
