import { describe, expect, it } from "vitest";
import { equipmentCode, equipmentName } from "./equipment.ts";

describe("An equipment type", () => {
  it.each([
    ["22G1", "20′ dry (22G1)"],
    ["42G1", "40′ dry (42G1)"],
    ["45G1", "40′ high cube (45G1)"],
    ["45R1", "40′ reefer (45R1)"],
    ["22R1", "20′ reefer (22R1)"],
    ["L5G1", "45′ high cube (L5G1)"],
    ["22T6", "20′ tank (22T6)"],
    ["42P3", "40′ flat rack (42P3)"],
    ["28H0", "28H0"],
  ])("%s is shown as %s", (code, name) => {
    expect(equipmentCode.test(code)).toBe(true);
    expect(equipmentName(code)).toBe(name);
  });

  it.each(["", "40HC", "45g1", "45G", "45G11", "99G1"])("is not %j", (code) => {
    expect(equipmentCode.test(code)).toBe(false);
  });
});
