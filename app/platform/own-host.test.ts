import { describe, expect, it } from "vitest";
import { isForeignHost, isHost } from "./own-host.ts";

const header =
  (given: Record<string, string>) =>
  (name: string): string | null =>
    given[name] ?? null;

const local = { appUrl: "http://localhost:3000", testMode: true, trustedProxies: 0 };
const open = { appUrl: "https://demo.example.com", testMode: true, trustedProxies: 0 };

describe("A foreign host, in test mode", () => {
  it.each([
    ["localhost:3000", false],
    ["LOCALHOST", false],
    ["127.0.0.1:9", false],
    ["[::1]:3000", false],
    ["evil.example", true],
    ["evil.example:3000", true],
    ["localhost.evil.example", true],
    ["127.0.0.1.evil.example", true],
    ["192.168.1.5:3000", true],
    ["demo.example.com", true],
    ["", true],
    ["a b", true],
  ])("is %j at a loopback address: %s", (host, foreign) =>
    expect(isForeignHost(header({ host }), local)).toBe(foreign),
  );

  it.each([
    ["demo.example.com", false],
    ["demo.example.com:8443", false],
    ["localhost:3000", false],
    ["other.example.com", true],
  ])("is %j at a public address: %s", (host, foreign) => expect(isForeignHost(header({ host }), open)).toBe(foreign));

  it("is judged by Host alone at a loopback address, as a rebound page could send X-Forwarded-Host", () => {
    const rebound = header({ host: "evil.example", "x-forwarded-host": "localhost" });
    expect(isForeignHost(rebound, { ...local, trustedProxies: 1 })).toBe(true);
  });

  it("may be a trusted proxy's own name at a public address", () => {
    const proxied = header({ host: "inner:3000", "x-forwarded-host": "demo.example.com" });
    expect(isForeignHost(proxied, { ...open, trustedProxies: 1 })).toBe(false);
    expect(isForeignHost(proxied, open)).toBe(true);
  });

  it("is accepted outside test mode", () =>
    expect(isForeignHost(header({ host: "evil.example" }), { ...open, testMode: false })).toBe(false));
});

describe("A Host header", () => {
  it.each(["data.example.com", "data.example.com:443", "[::1]:3000", "127.0.0.1"])("may be %j", (host) =>
    expect(isHost(host)).toBe(true),
  );
  it.each(["", "a b", "a/b", "user@host", "a?b", "a#b", "a\\b", "host:port", "host:99999", "[::1", "%zz"])(
    "cannot be %j",
    (host) => expect(isHost(host)).toBe(false),
  );
});
