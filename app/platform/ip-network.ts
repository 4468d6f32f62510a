/** Networks of IP addresses in CIDR notation. Only this file imports ipaddr.js. Pure. */
// A CommonJS module whose exports Node does not find by name.
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";
import { normalAddress } from "./ip-address.ts";

/** An IPv4-mapped IPv6 address counts as the IPv4 address that it reaches. Null: not an address, or one with a zone. */
export const parsedAddress = (address: string): IPv4 | IPv6 | null => {
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

const mappedBits = 96;

/**
 * An address, or a network in CIDR notation, in its shortest form: without the bits of hosts, `203.0.113.7/24` is
 * `203.0.113.0/24`, and an IPv4-mapped network is one of IPv4.
 *
 * @returns null for anything else, and for the network of all addresses
 */
export const normalNetwork = (text: string): string | null => {
  const [, given = "", length] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const hasPort = /^\d+\.[\d.]*:/.test(given);
  const address = hasPort ? null : normalAddress(given);
  const parsed = address === null ? null : parsedAddress(address);
  if (address === null || !parsed) return null;
  const longest = parsed.kind() === "ipv4" ? 32 : 128;
  const isMapped = longest === 32 && given.includes(":");
  const bits = length === undefined ? longest : Number(length) - (isMapped ? mappedBits : 0);
  if (bits < 1 || bits > longest) return null;
  if (bits === longest) return address;
  const family = longest === 32 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${normalAddress(family.networkAddressFromCIDR(`${address}/${bits}`).toString())}/${bits}`;
};

/** Whether an address is in one of the networks. @param networks as `normalNetwork` writes them */
export const isInNetworks = (address: string, networks: readonly string[]): boolean => {
  const parsed = parsedAddress(address);
  return parsed !== null && networks.some((network) => isIn(parsed, network));
};

const isIn = (address: IPv4 | IPv6, network: string): boolean => {
  const [base, bits] = network.includes("/") ? ipaddr.parseCIDR(network) : hostOf(network);
  return base.kind() === address.kind() && address.match(base as IPv4 & IPv6, bits);
};

const hostOf = (address: string): [IPv4 | IPv6, number] => {
  const base = ipaddr.parse(address);
  return [base, base.kind() === "ipv4" ? 32 : 128];
};
