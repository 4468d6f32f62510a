/**
 * Which addresses webhooks may be sent to: public unicast ones. Others belong to this machine or its network, and a message
 * to them could reach what only the service itself may reach (server-side request forgery).
 */
import { parsedAddress } from "../../platform/ip-network.ts";

/** What configuration can allow, for receivers on the service's own machine or network. */
const ownNetwork = new Set(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"]);

/** Cloud metadata services hold credentials: refused even where private addresses are allowed. Azure has a public address for it. */
const metadata = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "168.63.129.16",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
]);

/** All public IPv6 addresses are in 2000::/3; ranges outside it embed IPv4 addresses, or mean nothing. */
const isGlobalUnicast = (firstByte: number): boolean => firstByte >> 5 === 1;

/** @param address an IP address as text, without brackets */
export const isAllowedAddress = (address: string, { allowPrivate }: { allowPrivate: boolean }): boolean => {
  const parsed = parsedAddress(address);
  if (!parsed || metadata.has(parsed.toString())) return false;
  const range = parsed.range();
  if (ownNetwork.has(range)) return allowPrivate;
  if (range !== "unicast") return false;
  return parsed.kind() === "ipv4" || isGlobalUnicast(parsed.toByteArray()[0] ?? 0);
};
