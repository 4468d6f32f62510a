import { describe, expect, it } from "vitest";
import { isInNetworks, normalNetwork } from "./ip-network.ts";

describe("A network", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7/32", "203.0.113.7"],
    ["203.0.113.7/24", "203.0.113.0/24"],
    ["10.255.1.2/9", "10.128.0.0/9"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["2001:db8:1:2:3::/48", "2001:db8:1::/48"],
    ["2001:db8::1/128", "2001:db8::1"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7/120", "203.0.113.0/24"],
  ])("%s is written %s", (text, network) => {
    expect(normalNetwork(text)).toBe(network);
  });

  it.each([
    ...["", "example.com", "203.0.113", "203.0.113.256", "0x7f.0.0.1", "010.0.0.1", "203.0.113.7/33", "203.0.113.7/-1"],
    ...["203.0.113.7/", "203.0.113.7/24/8", "2001:db8::/129", "fe80::1%eth0", "[2001:db8::1]", "203.0.113.7:443"],
    ...["0.0.0.0/0", "::/0", "::ffff:0.0.0.0/96", "::ffff:203.0.113.7/64", " 203.0.113.7", "1".repeat(100)],
  ])("%j is none", (text) => {
    expect(normalNetwork(text)).toBeNull();
  });
});

describe("An address", () => {
  const networks = ["203.0.113.0/24", "198.51.100.7", "2001:db8:1::/48", "2001:db8:2::9"];

  it.each([
    "203.0.113.0",
    "203.0.113.255",
    "198.51.100.7",
    "::ffff:203.0.113.9",
    "2001:db8:1:ffff::1",
    "2001:db8:2::9",
  ])("%s is in one of the networks", (address) => {
    expect(isInNetworks(address, networks)).toBe(true);
  });

  it.each(["203.0.114.0", "198.51.100.8", "2001:db8:2::8", "2001:db8:3::", "unknown", ""])("%j is not", (address) => {
    expect(isInNetworks(address, networks)).toBe(false);
  });
});
