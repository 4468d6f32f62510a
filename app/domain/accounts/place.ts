/** Where a sign-in came from, at the level of detail at which a person would tell places apart. */
import { networkOf as networkOfAddress } from "../../platform/ip-address.ts";
import type { Origin } from "./lucia.server.ts";

/** The network and the user agent without its versions. Stable for the same place. */
export const placeOf = ({ ipAddress, userAgent }: Pick<Origin, "ipAddress" | "userAgent">): string =>
  `${networkOf({ ipAddress })} ${programOf(userAgent ?? "unknown")}`;

/** `192.0.2.0/24`, `2001:db8:7::/48`: the usual size of a household's or company's network. */
export const networkOf = ({ ipAddress }: Pick<Origin, "ipAddress">): string =>
  networkOfAddress(ipAddress ?? "unknown", { ipv4: 24, ipv6: 48 });

/** Versions are left out, so that an updated browser counts as the same. */
const programOf = (userAgent: string): string => userAgent.slice(0, 300).replace(/\d[\d._]*/g, "");
