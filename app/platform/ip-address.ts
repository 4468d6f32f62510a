/** IP addresses as text: normalized, and reduced to their network. Pure. */
import { remember } from "./remember.ts";

/**
 * Normalizes an address from a socket or a proxy: without port, brackets and zone, IPv6 compressed and in lower case, and
 * an IPv4-mapped IPv6 address as IPv4.
 *
 * @returns null for anything that is not an address
 */
export const normalAddress = remember((text): string | null => {
  const [, bracketed, beforePort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text) ?? [];
  const address = (bracketed ?? beforePort ?? text).replace(/%.*$/s, "");
  return isIpv4(address) ? address : ipv6Of(address);
});

/**
 * The network of an address, by its first bits: `192.0.2.0/24`, `2001:db8:7:0::/64`. With all 32 bits, the IPv4
 * address itself. Anything that is not an address is returned unchanged.
 */
export const networkOf = (text: string, bits: { ipv4: 24 | 32; ipv6: 48 | 64 }): string => {
  const address = normalAddress(text);
  if (address === null) return text;
  if (address.includes(":")) return `${groupsOf(address, bits.ipv6 / 16).join(":")}::/${bits.ipv6}`;
  return bits.ipv4 === 32 ? address : `${address.replace(/\.\d+$/, "")}.0/24`;
};

const isIpv4 = (text: string): boolean => {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
};

const ipv6Of = (text: string): string | null => {
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(`http://[${text}]`)) return null;
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(address) ?? [];
  return high !== undefined && low !== undefined
    ? ipv4Of(Number.parseInt(high, 16), Number.parseInt(low, 16))
    : address;
};

const ipv4Of = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join(".");

/** The first groups of a compressed IPv6 address. */
const groupsOf = (address: string, count: number): string[] => {
  const [head = [], tail] = address.split("::").map((side) => side.split(":").filter((group) => group !== ""));
  const omitted = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(omitted).fill("0"), ...(tail ?? [])].slice(0, count);
};
