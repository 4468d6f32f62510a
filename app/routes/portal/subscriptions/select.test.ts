import { describe, expect, it } from "vitest";
import { daysBetween } from "#app/domain/dates.ts";
import { choiceOf, countsOf, groupsOf, outlookOf, paramsOf } from "./select.ts";

const row = (
  routeName: string,
  status: "active" | "expiring_soon" | "cancelled" | "expired",
  endDate: string,
  charge?: string,
) => ({
  routeName,
  routeCode: `${routeName.slice(0, 3).toUpperCase()}-1`,
  carrier: routeName.startsWith("Santos") ? "Pelagic Lines" : "Meridian",
  tradeLane: / to (Rotterdam|Hamburg)$/.test(routeName) ? "East Asia – North Europe" : "Others to Europe",
  status,
  autoRenew: charge !== undefined,
  endDate,
  daysLeft: status === "expired" ? 0 : daysBetween("2026-11-20", endDate),
  nextCharge: charge ? { date: charge, amountCents: 100 } : null,
});

const rows = [
  row("Shanghai to Rotterdam", "active", "2027-03-01", "2027-02-26"),
  row("Santos to Antwerp", "expiring_soon", "2026-11-25"),
  row("Busan to Hamburg", "cancelled", "2026-12-10"),
  row("Mumbai to Felixstowe", "expired", "2026-02-01"),
  row("Jebel Ali to Genoa", "expired", "2026-08-01"),
];
const firstWord = ({ routeName }: { routeName: string }) => routeName.split(" ")[0];
const names = (params: Record<string, string>) =>
  groupsOf(rows, choiceOf(params)).flatMap(({ rows }) => rows.map(firstWord));
const groups = (params: Record<string, string>) =>
  groupsOf(rows, choiceOf(params)).map(({ title, rows }) => [title, rows.map(firstWord)]);

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
    [{ renewal: "on" }, ["Shanghai"]],
    [{ renewal: "off" }, ["Santos", "Busan"]],
    [{ expiring: "30" }, ["Santos", "Busan"]],
    [{ expiring: "30", status: "cancelled" }, ["Busan"]],
    [{ expiring: "7" }, ["Santos", "Busan", "Shanghai", "Jebel", "Mumbai"]],
    [{ sort: "charge" }, ["Shanghai", "Santos", "Busan", "Jebel", "Mumbai"]],
    [{ sort: "route" }, ["Busan", "Santos", "Shanghai", "Jebel", "Mumbai"]],
  ])("are filtered and sorted by query parameters: %j", (params, expected) => {
    expect(names(params as Record<string, string>)).toEqual(expected);
  });

  it("are counted by status over all rows", () => {
    expect(countsOf(rows)).toEqual({ all: 5, active: 1, expiring_soon: 1, cancelled: 1, expired: 2 });
  });

  it("can be searched by carrier and by trade lane", () => {
    expect(names({ q: "pelagic" })).toEqual(["Santos"]);
    expect(names({ q: "north europe" })).toEqual(["Busan", "Shanghai"]);
  });

  it("are the running ones and the ended ones, without a grouping", () => {
    expect(groups({ group: "nonsense" })).toEqual([
      ["Active", ["Santos", "Busan", "Shanghai"]],
      ["Ended", ["Jebel", "Mumbai"]],
    ]);
  });

  it("are grouped by status in the order of urgency, and by trade lane and carrier in alphabetical order", () => {
    expect(groups({ group: "status" })).toEqual([
      ["Expiring soon", ["Santos"]],
      ["Active", ["Shanghai"]],
      ["Cancelled", ["Busan"]],
      ["Ended", ["Jebel", "Mumbai"]],
    ]);
    expect(groups({ group: "lane" })).toEqual([
      ["East Asia – North Europe", ["Busan", "Shanghai"]],
      ["Others to Europe", ["Santos", "Jebel", "Mumbai"]],
    ]);
    expect(groups({ group: "carrier", renewal: "off" })).toEqual([
      ["Meridian", ["Busan"]],
      ["Pelagic Lines", ["Santos"]],
    ]);
  });

  it("keep their choice in query parameters, without defaults", () => {
    const params = { status: "active", renewal: "on", expiring: "30", q: "genoa", group: "lane", sort: "route" };
    expect(paramsOf(choiceOf(params))).toEqual(params);
    expect(paramsOf(choiceOf({ renewal: "maybe", sort: "end", q: " " }))).toEqual({});
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
