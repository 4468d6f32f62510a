import { describe, expect, it } from "vitest";
import { cameOverHttp, clientAddress, forwarded, requestedHost } from "./forwarded.ts";

const headers =
  (given: Record<string, string>) =>
  (name: string): string | null =>
    given[name] ?? null;

describe("A forwarded header", () => {
  it.each([
    ["a, b, c", 0, null],
    ["a, b, c", 1, "c"],
    ["a, b, c", 2, "b"],
    ["a,b , c", 3, "a"],
    ["a", 2, "a"],
    ["", 1, null],
    [null, 1, null],
  ])("%j behind %i trusted proxies says %j", (value, trusted, said) => expect(forwarded(value, trusted)).toBe(said));
});

describe("The client's address", () => {
  it("is the socket's if no proxy is trusted", () =>
    expect(clientAddress("::ffff:192.0.2.1", "198.51.100.7", 0)).toBe("192.0.2.1"));

  it("is what the outermost trusted proxy saw", () => {
    expect(clientAddress("10.0.0.1", "203.0.113.9, 198.51.100.7, 10.0.0.2", 2)).toBe("198.51.100.7");
    expect(clientAddress("10.0.0.1", "203.0.113.9, 198.51.100.7:5123", 1)).toBe("198.51.100.7");
  });

  it("is shared by all clients whose address is unknown", () => {
    for (const garbage of ["unknown", "_hidden", "1.2.3", "' or 1=1", "2001:db8::/64"])
      expect(clientAddress("10.0.0.1", `203.0.113.9, ${garbage}`, 1)).toBe("unknown");
    expect(clientAddress(undefined, null, 0)).toBe("unknown");
  });
});

describe("The protocol and the host", () => {
  const sent = headers({ host: "inner:3000", "x-forwarded-proto": "HTTP", "x-forwarded-host": "data.example.com" });

  it("are taken from a trusted proxy", () => {
    expect(cameOverHttp(sent, 1)).toBe(true);
    expect(requestedHost(sent, 1)).toBe("data.example.com");
  });

  it("are not taken from other clients", () => {
    expect(cameOverHttp(sent, 0)).toBe(false);
    expect(requestedHost(sent, 0)).toBe("inner:3000");
  });
});
