import { describe, expect, it } from "vitest";
import { networkOf, normalAddress } from "./ip-address.ts";

describe("A normalized address", () => {
  it.each([
    ["192.0.2.77", "192.0.2.77"],
    ["192.0.2.77:4711", "192.0.2.77"],
    ["::ffff:192.0.2.77", "192.0.2.77"],
    ["::FFFF:c000:024d", "192.0.2.77"],
    ["0:0:0:0:0:ffff:192.0.2.77", "192.0.2.77"],
    ["[::ffff:192.0.2.77]:80", "192.0.2.77"],
    ["2001:0DB8:0007::5", "2001:db8:7::5"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["[fe80::1%25eth0]:1", "fe80::1"],
    ["::1", "::1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6"],
  ])("of %s is %s", (text, address) => expect(normalAddress(text)).toBe(address));

  it.each([
    "",
    "unknown",
    "_hidden",
    "192.0.2",
    "192.0.2.256",
    "192.0.2.07",
    "192.0.2.1:",
    "192.0.2.1:123456",
    "0x7f.0.0.1",
    "1",
    "2001:db8:::1",
    "2001:db8::1::2",
    "[2001:db8::1",
    "2001:db8::12345",
    "2001:db8::1/64",
    "::1]@[::2",
    "192.0.2.1, 192.0.2.2",
    "localhost",
  ])("does not exist for %j", (text) => expect(normalAddress(text)).toBeNull());
});

describe("The network of an address", () => {
  it.each([
    ["192.0.2.77", "192.0.2.0/24"],
    ["::ffff:192.0.2.77", "192.0.2.0/24"],
    ["2001:db8:7:1:2:3:4:5", "2001:db8:7::/48"],
    ["2001:0DB8:0007::5", "2001:db8:7::/48"],
    ["2001:db8::5", "2001:db8:0::/48"],
    ["::1", "0:0:0::/48"],
    ["fe80::1%eth0", "fe80:0:0::/48"],
    ["unknown", "unknown"],
  ])("of %s is %s", (address, network) => expect(networkOf(address, { ipv4: 24, ipv6: 48 })).toBe(network));

  it.each([
    ["192.0.2.77", "192.0.2.77"],
    ["2001:db8:7:1:2:3:4:5", "2001:db8:7:1::/64"],
    ["2001:db8::5", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:3:4:5::", "2001:db8:1:2::/64"],
    ["unknown", "unknown"],
  ])("of %s is %s where IPv6 counts by /64", (address, network) =>
    expect(networkOf(address, { ipv4: 32, ipv6: 64 })).toBe(network),
  );
});
