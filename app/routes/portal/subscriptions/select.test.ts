import { describe, expect, it } from "vitest";
import { countsOf, outlookOf, selected } from "./select.ts";

const row = (
  routeName: string,
  status: "active" | "expiring_soon" | "cancelled" | "expired",
  endDate: string,
  charge?: string,
) => ({
  routeName,
  routeCode: `${routeName.slice(0, 3).toUpperCase()}-1`,
  carrier: routeName.startsWith("Santos") ? "Pelagic Lines" : "Meridian",
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
const names = (params: Record<string, string>) => {
  const { running, ended } = selected(rows, params);
  return [...running, ...ended].map(({ routeName }) => routeName.split(" ")[0]);
};

describe("selected subscriptions", () => {
  it("are sorted with the soonest end first, then the expired ones, latest first", () => {
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
  ])("are filtered and sorted by query parameters: %j", (params, expected) => {
    expect(names(params as Record<string, string>)).toEqual(expected);
  });

  it("are counted by status over all rows", () => {
    expect(countsOf(rows)).toEqual({ all: 5, active: 1, expiring_soon: 1, cancelled: 1, expired: 2 });
  });

  it("can be searched by carrier", () => {
    expect(names({ q: "pelagic" })).toEqual(["Santos"]);
  });
});

describe("the outlook", () => {
  const charged = (date: string, amountCents: number) => ({
    status: "active" as const,
    daysLeft: 10,
    nextCharge: { date, amountCents },
  });
  const ending = (daysLeft: number) => ({ status: "active" as const, daysLeft, nextCharge: null });

  it("sums the charges of the next 30 days and names the next charge", () => {
    const rows = [charged("2026-12-21", 300), charged("2026-12-22", 50), charged("2026-11-23", 200)];
    expect(outlookOf(rows, "2026-11-21")).toMatchObject({
      renewals: 2,
      renewalCents: 500,
      next: { date: "2026-11-23", amountCents: 200 },
    });
  });

  it("counts subscriptions that end within 30 days without renewal", () => {
    const ended = { status: "expired" as const, daysLeft: 0, nextCharge: null };
    expect(outlookOf([ending(30), ending(31), ended, charged("2026-11-23", 200)], "2026-11-21").ending).toBe(1);
  });
});
