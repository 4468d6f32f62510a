/**
 * Who is at the other end: the socket's address, or, behind `trustedProxies` proxies, the address that the outermost
 * trusted one saw. What a client itself writes into X-Forwarded-For is never believed.
 */
export const clientAddress = (socketAddress: string, forwardedFor: string | null, trustedProxies: number): string => {
  const hops = [...(forwardedFor ?? "").split(",").map((hop) => hop.trim()), socketAddress].filter((hop) => hop !== "");
  const address = hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? socketAddress;
  return address.replace(/^::ffff:/, "");
};
