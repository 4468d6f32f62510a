/**
 * Which addresses webhooks may be sent to: public unicast ones. Others belong to this machine or its network, and a message
 * to them could reach what only the service itself may reach (server-side request forgery).
 */
// A CommonJS module whose exports Node does not find by name.
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/** What configuration can allow, for receivers on the service's own machine or network. */
const ownNetwork = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);

/** Cloud metadata services hold credentials: refused even where private addresses are allowed. */
const metadata = new Set(["169.254.169.254", "169.254.170.2", "100.100.100.200", "fd00:ec2::254"]);

/** All public IPv6 addresses are in it; ranges outside it embed IPv4 addresses, or mean nothing. */
const globalUnicast = ipaddr.parse("2000::") as IPv6;

/** @param address an IP address as text, without brackets */
export const isAllowedAddress = (address: string, { allowPrivate }: { allowPrivate: boolean }): boolean => {
  const parsed = normalized(address);
  if (!parsed || metadata.has(parsed.toString())) return false;
  const range = parsed.range();
  if (ownNetwork.has(range)) return allowPrivate;
  if (range !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as IPv6).match(globalUnicast, 3);
};

/** An IPv4-mapped IPv6 address counts as the IPv4 address that it reaches. Null: not an address. */
const normalized = (address: string): IPv4 | IPv6 | null => {
  try {
    const parsed = ipaddr.parse(address);
    if (parsed.kind() === "ipv4") return parsed;
    const ipv6 = parsed as IPv6;
    if (ipv6.zoneId) return null;
    return ipv6.isIPv4MappedAddress() ? ipv6.toIPv4Address() : ipv6;
  } catch {
    return null;
  }
};
