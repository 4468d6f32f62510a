import { describe, expect, it } from "vitest";
import { isAllowed, licenceComplaints } from "./licences.ts";

describe("isAllowed", () => {
  const allowed = new Set(["MIT", "ISC"]);

  it.each([
    "MIT",
    "(MIT)",
    "MIT OR GPL-3.0-only",
    "GPL-3.0-only OR MIT",
    "MIT AND ISC",
    "(GPL-3.0-only OR MIT) AND ISC",
  ])("accepts %s", (expression) => {
    expect(isAllowed(expression, allowed)).toBe(true);
  });

  it.each([
    "",
    "GPL-3.0-only",
    "MIT AND GPL-3.0-only",
    "GPL-3.0-only AND MIT",
    "MIT OR GPL-3.0-only AND (",
    "GPL-3.0-only AND (MIT OR ISC)",
    "(MIT",
    "MIT)",
    "MIT ISC",
    "MIT WITH exception",
    "SEE LICENSE IN LICENSE.md",
    "UNLICENSED",
  ])("rejects %s", (expression) => {
    expect(isAllowed(expression, allowed)).toBe(false);
  });
});

describe("licenceComplaints", () => {
  const used = { name: "a", version: "1.0.0", isTool: false };

  it("names a package of the service with a copyleft licence, and one without any", () => {
    expect(
      licenceComplaints(
        [
          { ...used, licence: "MIT" },
          { ...used, name: "b", licence: "MPL-2.0" },
          { ...used, name: "c", licence: undefined },
        ],
        {},
      ),
    ).toEqual([
      "b@1.0.0 (used by the service) has the licence MPL-2.0",
      "c@1.0.0 (used by the service) has the licence none",
    ]);
  });

  it("lets tools have terms for changed copies, but not strong copyleft", () => {
    const tool = { ...used, isTool: true };
    expect(
      licenceComplaints(
        [
          { ...tool, licence: "MPL-2.0" },
          { ...tool, name: "b", licence: "GPL-3.0-only" },
        ],
        {},
      ),
    ).toEqual(["b@1.0.0 (a tool) has the licence GPL-3.0-only"]);
  });

  it("excepts one version of a package", () => {
    const packages = [{ ...used, licence: undefined }];
    expect(licenceComplaints(packages, { "a@1.0.0": "MIT, as its readme says" })).toEqual([]);
    expect(licenceComplaints(packages, { "a@1.0.1": "MIT, as its readme says" })).toEqual([
      "a@1.0.0 (used by the service) has the licence none",
      "a@1.0.1 needs no exception",
    ]);
  });
});
