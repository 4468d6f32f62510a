import { describe, expect, it } from "vitest";
import { equipmentCode, equipmentName } from "./equipment.ts";

describe("An equipment type", () => {
  it.each([
    ["22G1", "20′ dry"],
    ["42G1", "40′ dry"],
    ["45G1", "40′ high cube"],
    ["45R1", "40′ high-cube reefer"],
    ["22R1", "20′ reefer"],
    ["L5G1", "45′ high cube"],
    ["22T6", "20′ tank"],
    ["42P3", "40′ flat rack"],
    ["28H0", "28H0"],
  ])("%s is shown as %s", (code, name) => {
    expect(equipmentCode.test(code)).toBe(true);
    expect(equipmentName(code)).toBe(name);
  });

  it.each(["", "40HC", "45g1", "45G", "45G11", "99G1"])("is not %j", (code) => {
    expect(equipmentCode.test(code)).toBe(false);
  });
});
