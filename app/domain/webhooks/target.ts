/** Which URLs an endpoint may have. What their host resolves to is checked by the transport. */
import { invalid } from "../errors.ts";
import { longestUrl } from "./policy.ts";

/** Ports below 1024 belong to other protocols. Above, a service that must not be reached is behind a private address. */
const lowestFreePort = 1024;

/** @throws invalid naming the rule that the URL breaks */
export const readTarget = (text: string, { allowPrivate }: { allowPrivate: boolean }): URL => {
  const complain = (message: string) => invalid("url", message);
  if (text.length > longestUrl) throw complain(`At most ${longestUrl} characters`);
  if (!URL.canParse(text)) throw complain("Enter a full URL, like https://example.com/webhooks");
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:"))
    throw complain("Must begin with https://");
  if (url.username !== "" || url.password !== "") throw complain("Must not contain a username or password");
  if (url.hash !== "") throw complain("Must not contain a fragment (#)");
  const port = portOf(url);
  if (port < lowestFreePort && port !== 443 && !(allowPrivate && port === 80)) {
    throw complain(`The port must be 443, or ${lowestFreePort} or above`);
  }
  return url;
};

export const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === "https:" ? 443 : 80);

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");
