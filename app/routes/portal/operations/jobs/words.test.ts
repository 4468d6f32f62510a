import { expect, test } from "vitest";
import { jobInWords, outcomeInWords, scheduleInWords } from "./words.ts";

test("formats schedules, names and outcomes of jobs", () => {
  expect(scheduleInWords("* * * * *")).toBe("Every minute");
  expect(scheduleInWords("5 * * * *")).toBe("Hourly at :05");
  expect(scheduleInWords("7 0 * * *")).toBe("Daily at 00:07 UTC");
  expect(jobInWords("charge-renewals")).toBe("Charge renewals");
  expect(outcomeInWords({ succeeded: 1200, declined: 0, moved: 1 })).toBe("1,200 succeeded, 1 moved");
  expect(outcomeInWords({ reminders: 1 })).toBe("1 reminder");
  expect(outcomeInWords({ reminders: 2, days: 1 })).toBe("2 reminders, 1 day");
  expect(outcomeInWords({ days: 31, months: 1 })).toBe("31 days, 1 month");
  expect(outcomeInWords({ expired: 0 })).toBe("Nothing due");
  expect(outcomeInWords(null)).toBe("Nothing due");
});
