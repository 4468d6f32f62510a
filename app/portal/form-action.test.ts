import { describe, expect, it } from "vitest";
import { Refusal, type RefusalCode, refusalCodes } from "../domain/errors.ts";
import { statusOf } from "../platform/refusal-status.ts";
import { refusedForm } from "./form-action.server.ts";

const statusOfForm = (code: RefusalCode) => refusedForm(new Refusal(code, "No"), {}, "save").init?.status;

describe("A rejected form", () => {
  it.each(["unauthenticated", "conflict"] as const)("returns 422 for %s, as it is shown again", (code) =>
    expect(statusOfForm(code)).toBe(422),
  );

  it("returns the API's status for every other rejection", () => {
    const others = refusalCodes.filter((code) => code !== "unauthenticated" && code !== "conflict");
    expect(others.map(statusOfForm)).toEqual(others.map((code) => statusOf[code]));
  });
});
