import { describe, expect, it } from "vitest";
import * as format from "./format.ts";

describe("a formatted value", () => {
  it.each([
    [format.formatDay("2026-11-30"), "30 Nov 2026"],
    [format.formatShortDay("2026-02-01"), "1 Feb"],
    [format.formatMonth("2026-02-01"), "Feb 2026"],
    [format.formatInstant("2026-11-30T14:05:09Z"), "30 Nov 2026, 14:05 UTC"],
    [format.formatMoney(123450), "$1,234.50"],
    [format.formatMoney(-500), "−$5.00"],
    [format.formatNumber(12345), "12,345"],
    [format.formatCompact(12345), "12.3k"],
    [format.formatCompactMoney(450_000), "$4.5k"],
    [format.formatCompactMoney(25), "$0.25"],
    [format.formatShare(0.0241), "2.4%"],
    [format.formatNauticalMiles(10537), "10,537 nm"],
    [format.formatDays(1), "1 day"],
    [format.formatDays(2.5), "2.5 days"],
    [format.formatSailings(2), "2 per week"],
    [format.formatSailings(1), "Weekly"],
    [format.formatPortTime("2026-12-04T06:00"), "4 Dec, 06:00"],
    [format.formatOffset("+08:00"), "UTC+8"],
    [format.formatOffset("-03:30"), "UTC−3:30"],
    [format.formatOffset("+00:00"), "UTC"],
    [format.formatSailings(0.25), "Every 4 weeks"],
    [format.formatDayRange({ min: 34, max: 40 }), "34–40 days"],
    [format.formatDayRange({ min: 1, max: 1 }), "1 day"],
    [format.formatCount(1, "route"), "1 route"],
    [format.formatCount(0, "key"), "0 keys"],
    [format.formatDuration(37.4), "37 ms"],
    [format.formatDuration(1234), "1.2 s"],
    [format.formatBytes(18234), "18.2 KB"],
    [format.formatBytes(27000), "27.0 KB"],
    [format.formatFromToday("2026-11-27", "2026-11-21"), "in 6 days"],
    [format.formatFromToday("2026-11-21", "2026-11-21"), "today"],
    [format.formatFromToday("2026-11-18", "2026-11-21"), "3 days ago"],
    [format.formatAgo("2026-11-21T09:59:30Z", "2026-11-21T10:00:00Z"), "now"],
    [format.formatAgo("2026-11-21T09:55:00Z", "2026-11-21T10:00:00Z"), "5 min ago"],
    [format.formatAgo("2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"), "24 h ago"],
    [format.formatAgo("2026-11-18T10:00:00Z", "2026-11-21T10:00:00Z"), "3 days ago"],
    [format.formatWord("ro_ro"), "Ro-Ro"],
    [format.formatWord("3_months"), "3 months"],
    [format.formatWord("expiring_soon"), "Expiring soon"],
  ])("is %s", (shown, wanted) => {
    expect(shown).toBe(wanted);
  });
});
