import { describe, expect, it } from "vitest";
import { ownPathOf, safePath } from "./session.server.ts";

it.each([
  ["/subscriptions/12?tab=a&b=c#renew", "/subscriptions/12?tab=a&b=c#renew"],
  ["/routes?q=Gdańsk", "/routes?q=Gda%C5%84sk"],
])("redirects to a page of this site, encoded for a header: %s", (next, path) => {
  expect(safePath(next)).toBe(path);
});

it.each([
  null,
  undefined,
  "",
  "usage",
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "//",
  "http:evil.example",
  "/sign-out",
  "/routes/../sign-in",
])("redirects to the home page instead of %j", (next) => {
  expect(safePath(next)).toBe("/");
});

describe("An address of ours", () => {
  const site = "http://localhost:3000";
  it("is reduced to its path, so that the host stays the one the site was opened with", () =>
    expect(ownPathOf(`${site}/checkout/7/return?payment_intent=pi_1`, site)).toBe(
      "/checkout/7/return?payment_intent=pi_1",
    ));

  it.each([
    "https://x//evil.example",
    "http://localhost:3000//evil.example",
    "http://localhost:3000/\\evil.example",
    "http://localhost:3000/.//evil.example",
    "http://localhost:3000@evil.example/subscriptions",
    "https://localhost:3000/subscriptions",
    "http://localhost:3001/subscriptions",
    "javascript:alert(1)",
  ])("is not %j", (address) => expect(ownPathOf(address, site)).toBe("/"));
});
