/** Metrics on a port of their own, which proxies do not expose. */
import { createServer } from "node:http";
import type { Closers } from "#app/platform/closers.ts";
import type { Config } from "#app/platform/env.server.ts";
import { textContentType } from "#app/platform/metrics/text.ts";
import { bearerIs } from "#app/platform/metrics/token.server.ts";
import { listen } from "./listen.ts";

/** @throws Trouble if the port cannot be used */
export const serveMetrics = async (
  { listen: address, token }: Config["metrics"],
  closers: Closers,
  scrape: () => Promise<string>,
): Promise<void> => {
  if (address === null) return;
  const server = createServer((req, res) => {
    const answer = (status: number, text: string, headers: Record<string, string> = {}) =>
      res.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", ...headers }).end(text);
    if (req.url?.split("?")[0] !== "/metrics") answer(404, "Not found: the metrics are at /metrics\n");
    else if (req.method !== "GET") answer(405, "Use GET\n", { Allow: "GET" });
    else if (token !== null && !bearerIs(token, req.headers.authorization)) {
      answer(401, "Send the token of METRICS_TOKEN as a bearer token\n", { "WWW-Authenticate": "Bearer" });
    } else {
      scrape().then(
        (text) => answer(200, text, { "Content-Type": textContentType }),
        (error: unknown) => answer(500, `The metrics could not be read: ${error}\n`),
      );
    }
  });
  closers.add({
    limitMs: 1_000,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      return [];
    },
    whenLate: () => [],
  });
  await listen(server, address);
};
