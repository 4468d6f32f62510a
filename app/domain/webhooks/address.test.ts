import { describe, expect, it } from "vitest";
import { isAllowedAddress } from "./address.ts";

const allowed = (address: string) => ({
  publicly: isAllowedAddress(address, { allowPrivate: false }),
  privately: isAllowedAddress(address, { allowPrivate: true }),
});

describe("A webhook", () => {
  it.each([
    "93.184.215.14",
    "8.8.8.8",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.255.255",
    "100.63.255.255",
    "100.128.0.1",
    "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
    "2a00:1450:4001:82a::200e",
    "::ffff:8.8.8.8",
  ])("may be sent to the public address %s", (address) => {
    expect(allowed(address)).toEqual({ publicly: true, privately: true });
  });

  it.each([
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["loopback", "::1"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["link-local", "169.254.1.1"],
    ["link-local", "fe80::1"],
    ["unique local", "fc00::1"],
    ["unique local", "fdff::1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["carrier-grade NAT", "100.127.255.255"],
    ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
    ["IPv4-mapped private", "::ffff:a00:1"],
    ["IPv4-compatible loopback", "::127.0.0.1"],
    ["IPv4-compatible private", "::10.0.0.1"],
  ])("may be sent to a %s address (%s) only where configuration allows it", (_range, address) => {
    expect(allowed(address)).toEqual({ publicly: false, privately: true });
  });

  it.each([
    ["unspecified", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["unspecified", "::"],
    ["multicast", "224.0.0.1"],
    ["multicast", "ff02::1"],
    ["broadcast", "255.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["protocol assignments", "192.0.0.1"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.7"],
    ["documentation", "203.0.113.9"],
    ["documentation", "2001:db8::1"],
    ["benchmarking", "198.18.0.1"],
    ["6to4 relay", "192.88.99.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::7f00:1"],
    ["6to4", "2002:7f00:1::1"],
    ["Teredo", "2001:0:7f00:1::1"],
    ["discard", "100::1"],
    ["site-local", "fec0::1"],
    ["zoned", "fe80::1%eth0"],
    ["metadata", "169.254.169.254"],
    ["metadata", "169.254.170.23"],
    ["metadata", "168.63.129.16"],
    ["metadata", "fd00:ec2::23"],
    ["metadata", "fd20:ce::254"],
    ["metadata", "::ffff:169.254.169.254"],
    ["metadata", "fd00:ec2::254"],
    ["metadata", "100.100.100.200"],
    ["no", "example.com"],
    ["no", ""],
  ])("is never sent to a %s address (%s)", (_range, address) => {
    expect(allowed(address)).toEqual({ publicly: false, privately: false });
  });
});
