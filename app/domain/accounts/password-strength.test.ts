import { describe, expect, it } from "vitest";
import { refuseGuessable } from "./password-strength.server.ts";

const holder = { email: "ops.desk@mueller-freight.example", username: "mueller-ops" };
const check = (password: string) => () => refuseGuessable(password, holder, "password");

describe("A password", () => {
  it.each([
    "123456789012",
    "aaaaaaaaaaaa",
    "qwertyuiopas",
    "passwordpassword",
    "Password1234",
    "P@ssw0rd1234!",
    "abcdefghijkl",
    "1q2w3e4r5t6y",
    "a".repeat(128),
  ])("is rejected as common: %s", (password) => {
    expect(check(password)).toThrow(/common password or a simple pattern.*several words/);
  });

  it.each([
    "mueller-ops-2026",
    "Mueller1234567",
    "ops.desk@mueller-freight.example",
    "shippingroutedata1",
    "shipping route",
    "Route, Data & Service",
    "SRDS shipping 2026",
    "mueller-ops freight",
    "ops at mueller 9 9",
  ])("is rejected for the account's own words: %s", (password) => {
    expect(check(password)).toThrow(/your name, your address or our name/);
  });

  it.each([
    "correct horse battery",
    "a calm sea in november",
    "xK3v9pQ2mL7z",
    "demo-harbour-2026",
    "mueller sails at dawn",
    "service 9$7&2@1#5",
    "東京湾の灯台と鴎と朝の船",
  ])("is accepted: %s", (password) => {
    expect(check(password)).not.toThrow();
  });

  it("names the field of the form", () => {
    expect(() => refuseGuessable("123456789012", holder, "new_password")).toThrow(
      expect.objectContaining({ code: "invalid", fields: [expect.objectContaining({ path: "new_password" })] }),
    );
  });
});
