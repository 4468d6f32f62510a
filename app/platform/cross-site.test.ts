import { describe, expect, it } from "vitest";
import { isCrossSiteWrite } from "./cross-site.ts";

const headers =
  (given: Record<string, string>) =>
  (name: string): string | null =>
    given[name] ?? null;

describe("A request from another site", () => {
  const site = { appUrl: "https://data.example.com", trustedProxies: 0 };
  const from = (given: Record<string, string>, trustedProxies = 0) =>
    isCrossSiteWrite("POST", headers({ host: "data.example.com", ...given }), { ...site, trustedProxies });

  it.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ origin: "https://data.example.com" }, false],
    [{ origin: "https://evil.example" }, true],
    [{ origin: "null" }, true],
    [{ origin: "http://data.example.com" }, true],
    [{ origin: "https://data.example.com.evil.example" }, true],
    [{ "sec-fetch-site": "same-origin" }, false],
    [{ "sec-fetch-site": "none" }, false],
    [{ "sec-fetch-site": "same-site" }, true],
    [{ "sec-fetch-site": "cross-site" }, true],
    [{ origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }, false],
    [{ origin: "http://127.0.0.1:3000", host: "127.0.0.1:3001" }, true],
    // A proxy that hands its own Host on.
    [{ origin: "https://data.example.com", host: "inner:3000" }, false],
    [{ origin: "https://evil.example", "x-forwarded-host": "evil.example" }, true],
  ])("is known by %j: %s", (given, foreign) => expect(from(given)).toBe(foreign));

  it("is judged by X-Forwarded-Host where a proxy is trusted", () => {
    const given = { origin: "https://other.example.com", "x-forwarded-host": "evil.example, other.example.com" };
    expect([from(given, 1), from(given, 0)]).toEqual([false, true]);
  });

  it.each([
    ["GET", false],
    ["HEAD", false],
    ["OPTIONS", false],
    ["POST", true],
    ["PUT", true],
    ["PATCH", true],
    ["DELETE", true],
  ])("is rejected by method: %s, %s", (method, refused) => {
    const header = headers({ host: "data.example.com", "sec-fetch-site": "cross-site" });
    expect(isCrossSiteWrite(method, header, site)).toBe(refused);
  });
});
