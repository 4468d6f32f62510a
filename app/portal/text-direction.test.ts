import { describe, expect, it } from "vitest";
import { isRightToLeft, visualRuns } from "./text-direction.ts";

describe("A line with Arabic or Hebrew", () => {
  it.each([
    ["keeps a name of several words together", "شركة الخليج للشحن", ["شركة الخليج للشحن"]],
    ["puts a number left of the words before it", "رصيف 12", ["12", " ", "رصيف"]],
    ["puts Latin words left of the words before them", "חברת Haifa Port", ["Haifa Port", " ", "חברת"]],
    ["begins left if its first letter is Latin", "Port of חיפה", ["Port of", " ", "חיפה"]],
  ])("%s", (_, line, runs) => {
    expect(visualRuns(line)).toEqual(runs);
    expect(isRightToLeft(line)).toBe(true);
  });
});
