import { expect, it } from "vitest";
import { securityText } from "./security-text.ts";

const site = { appUrl: "https://data.example.com", today: "2026-11-20" };

it("security.txt names the operator's address first, and expires within a year", () => {
  expect(securityText({ ...site, email: "security@example.com" })).toBe(
    [
      "Contact: mailto:security@example.com",
      "Contact: https://data.example.com/docs/found-keys",
      "Expires: 2027-05-19T00:00:00Z",
      "Preferred-Languages: en",
      "Canonical: https://data.example.com/.well-known/security.txt",
      "",
    ].join("\n"),
  );
});

it("security.txt has a contact without a configured address", () => {
  expect(securityText({ ...site, email: null })).toMatch(/^Contact: https:/);
});
