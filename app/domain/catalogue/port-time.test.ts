import { expect, it } from "vitest";
import { portTime } from "./port-time.ts";

it.each([
  ["2026-11-24T06:00:00Z", "Asia/Shanghai", "2026-11-24T14:00", "+08:00"],
  ["2026-07-01T23:30:00Z", "Europe/Amsterdam", "2026-07-02T01:30", "+02:00"],
  ["2026-12-01T03:15:00Z", "America/Los_Angeles", "2026-11-30T19:15", "-08:00"],
  ["2026-12-01T00:00:00Z", "Asia/Kolkata", "2026-12-01T05:30", "+05:30"],
  ["2026-12-01T00:00:00Z", "Europe/London", "2026-12-01T00:00", "+00:00"],
])("%s is, in %s, %s (%s)", (instant, timezone, local, offset) => {
  expect(portTime(new Date(instant), timezone)).toEqual({ local, offset });
});
