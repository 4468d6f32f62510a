import { describe, expect, it } from "vitest";
import { pageHeaders, paymentOrigins } from "./security-headers.ts";

const policy = (options: Partial<Parameters<typeof pageHeaders>[0]> = {}) =>
  pageHeaders({ nonce: "abc", https: true, ...options })["Content-Security-Policy"] ?? "";

describe("the content security policy", () => {
  it("allows no inline script or style without the nonce", () => {
    expect(policy()).toContain("script-src 'self' 'nonce-abc';");
    expect(policy()).toContain("style-src 'self';");
    expect(policy()).not.toContain("unsafe");
  });

  it("allows no other host unless payments are real", () => {
    expect(policy()).not.toContain("https://");
    expect(policy({ payments: paymentOrigins(null) })).toContain("frame-src https://js.stripe.com");
  });

  it("lets forms lead to the bank's page at Stripe only when payments are real", () => {
    expect(policy()).toContain("form-action 'self';");
    expect(policy({ payments: paymentOrigins(null) })).toContain("form-action 'self' https://hooks.stripe.com;");
  });

  it("forbids framing, and another base for the page's links", () => {
    expect(policy()).toContain("frame-ancestors 'none'; base-uri 'none'");
  });
});

it("upgrades requests over HTTPS only", () => {
  expect(policy()).toContain("upgrade-insecure-requests");
  expect(policy({ https: false })).not.toContain("upgrade-insecure-requests");
});
