/** Where a sign-in came from, as coarse as a holder would tell places apart. Pure. */
import { networkOf as networkOfAddress } from "../../platform/ip-address.ts";
import type { Origin } from "./lucia.server.ts";

/** The network and the program, without what changes from day to day. Equal for the same place. */
export const placeOf = ({ ipAddress, userAgent }: Pick<Origin, "ipAddress" | "userAgent">): string =>
  `${networkOf({ ipAddress })} ${programOf(userAgent ?? "unknown")}`;

/** `192.0.2.0/24`, `2001:db8:7::/48`: what one household or company usually has. */
export const networkOf = ({ ipAddress }: Pick<Origin, "ipAddress">): string =>
  networkOfAddress(ipAddress ?? "unknown", { ipv4: 24, ipv6: 48 });

/** A browser that has brought itself up to date is the same program: versions are left out. */
const programOf = (userAgent: string): string => userAgent.slice(0, 300).replace(/\d[\d._]*/g, "");
