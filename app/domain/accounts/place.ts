/** Where a sign-in came from, as coarse as a holder would tell places apart. Pure. */
import type { Origin } from "./lucia.server.ts";

/** The network and the program, without what changes from day to day. Equal for the same place. */
export const placeOf = ({ ipAddress, userAgent }: Origin): string =>
  `${networkOf(ipAddress ?? "unknown")} ${programOf(userAgent ?? "unknown")}`;

/** The first 24 bits of an IPv4 address, the first 48 of an IPv6 address: `192.0.2.0/24`, `2001:db8:7::/48`. */
export const networkOf = (address: string): string => {
  const [, ipv4] = /^(?:::ffff:)?(\d+\.\d+\.\d+)\.\d+$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return `${ipv4}.0/24`;
  if (!address.includes(":")) return address;
  return `${groupsOf(address.toLowerCase()).slice(0, 3).join(":")}::/48`;
};

/** All eight groups of an IPv6 address, without leading zeros. */
const groupsOf = (address: string): string[] => {
  const [before = "", after] = address.replace(/%.*$/, "").split("::");
  const [head, tail] = [listed(before), listed(after ?? "")];
  const omitted = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  return [...head, ...Array<string>(omitted).fill("0"), ...tail];
};

const listed = (groups: string): string[] =>
  groups.split(":").flatMap((group) => (group === "" ? [] : [group.replace(/^0+(?=.)/, "")]));

/** A browser that has brought itself up to date is the same program: versions are left out. */
const programOf = (userAgent: string): string => userAgent.slice(0, 300).replace(/\d[\d._]*/g, "");
