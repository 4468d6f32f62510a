/**
 * Sends webhooks over HTTP. The host is resolved again for every connection, in the socket's own look-up, and only checked
 * addresses are connected to: a name that was public at registration may point at a private address later (DNS rebinding).
 */
import { Resolver } from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Refusal } from "../errors.ts";
import { isAllowedAddress } from "./address.ts";
import { largestResponseBytes, timeoutSeconds } from "./policy.ts";
import { hostOf, portOf, readTarget } from "./target.ts";

/** A response, whatever its status. */
export type WebhookResponse = {
  status: number;
  /** The beginning of the body. */
  body: string;
  /** The header as it came. */
  retryAfter: string | null;
};

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };

export type WebhookTransport = {
  /** Whether private addresses and plain HTTP are allowed. */
  allowPrivate: boolean;
  /** Resolves a host and checks every address, by default with the transport's own setting. @throws Unreachable */
  check(url: URL, setting?: { allowPrivate: boolean }): Promise<void>;
  /** Does not follow redirects. @throws Unreachable when there is no response in time */
  post(request: WebhookRequest): Promise<WebhookResponse>;
};

/** The message is for the account holder. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** All addresses of a host name. Rejects if it has none. */
export type Resolve = (hostname: string) => Promise<string[]>;

export const webhookTransport = ({
  allowPrivate,
  resolve = resolveByDns,
  timeoutMs = timeoutSeconds * 1_000,
}: {
  allowPrivate: boolean;
  resolve?: Resolve;
  timeoutMs?: number;
}): WebhookTransport => {
  const addressesOf = async (host: string, setting = { allowPrivate }): Promise<Address[]> => {
    const found = isIP(host) ? [host] : await resolve(host).catch(() => []);
    if (found.length === 0) throw new Unreachable("The host name could not be resolved");
    if (found.some((address) => !isAllowedAddress(address, setting))) {
      throw new Unreachable("The host has a private or reserved address, to which webhooks are not sent");
    }
    return found.map((address) => ({ address, family: isIP(address) }));
  };
  return {
    allowPrivate,
    check: async (url, setting) => {
      await addressesOf(hostOf(url), setting);
    },
    post: async (request) => {
      const url = stillAllowed(request.url, { allowPrivate });
      // The socket looks up names only: an address in the URL is checked here.
      if (isIP(hostOf(url))) await addressesOf(hostOf(url));
      return exchange(url, request, { lookup: lookupWith(addressesOf), timeoutMs });
    },
  };
};

/** The setting may have changed since the endpoint was registered. @throws Unreachable */
const stillAllowed = (...target: Parameters<typeof readTarget>): URL => {
  try {
    return readTarget(...target);
  } catch (error) {
    throw error instanceof Refusal ? new Unreachable(`The URL is no longer allowed: ${error.message}`) : error;
  }
};

type Address = { address: string; family: number };

const lookupWith =
  (addressesOf: (host: string) => Promise<Address[]>): LookupFunction =>
  (host, options, done) => {
    addressesOf(host).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) done(null, addresses);
        else done(null, first?.address ?? "", first?.family ?? 0);
      },
      (error: Error) => done(error, "", 0),
    );
  };

/** Without the system's hosts file, and not in libuv's thread pool, where slow name servers would hold up other work. */
const resolveByDns: Resolve = async (hostname) => {
  if (/(^|\.)localhost\.?$/.test(hostname)) return ["127.0.0.1"];
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
};

const exchange = (
  url: URL,
  { headers, body }: WebhookRequest,
  { lookup, timeoutMs }: { lookup: LookupFunction; timeoutMs: number },
): Promise<WebhookResponse> =>
  new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = request({
      method: "POST",
      protocol: url.protocol,
      hostname: hostOf(url),
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
      // Every message has a connection, and so a look-up, of its own.
      agent: false,
      lookup,
      signal,
    });
    sent.on("error", (error) => reject(unreachable(error, signal, timeoutMs)));
    sent.on("response", (response) => {
      // Once the status is known, a body that ends early or too late changes nothing.
      void beginningOf(response).then((text) => {
        sent.destroy();
        resolve({ status: response.statusCode ?? 0, body: text, retryAfter: response.headers["retry-after"] ?? null });
      });
    });
    sent.end(body);
  });

const beginningOf = async (response: http.IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= largestResponseBytes) break;
    }
  } catch {
    // The connection broke or timed out.
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, largestResponseBytes));
};

const unreachable = (error: NodeJS.ErrnoException, signal: AbortSignal, timeoutMs: number): Unreachable => {
  if (error instanceof Unreachable) return error;
  if (signal.aborted) return new Unreachable(`No response within ${timeoutMs / 1_000} seconds`);
  return new Unreachable(reasons[error.code ?? ""] ?? `The connection failed: ${error.code ?? error.message}`);
};

const reasons: Record<string, string> = {
  ECONNREFUSED: "The connection was refused",
  ECONNRESET: "The connection was closed before a response",
  EHOSTUNREACH: "The host cannot be reached",
  ENETUNREACH: "The host cannot be reached",
  ETIMEDOUT: "The connection timed out",
  HPE_INVALID_CONSTANT: "The response is not HTTP",
  CERT_HAS_EXPIRED: "The TLS certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The TLS certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "The TLS certificate is self-signed",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The TLS certificate cannot be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "The TLS certificate belongs to another host",
};
