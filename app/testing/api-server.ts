/** Serves the API of a test's world over HTTP, for clients that bring their own HTTP. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { remember } from "../platform/remember.ts";
import { readUpTo } from "../platform/request-body.server.ts";
import { headerOf } from "../platform/request-gate.ts";
import { router } from "./api-client.ts";
import type { World } from "./world.ts";

export type ApiServer = { url: string; close(): Promise<void> };

/** @returns url with `/api`, without a trailing slash */
export const serveApi = async (world: World): Promise<ApiServer> => {
  const find = await router;
  const answer = async (req: IncomingMessage) => {
    const { pathname, searchParams } = urlOf(req.url ?? "/");
    const header = (name: string) => headerOf(req, name);
    const path = pathname.replace(/^\/api/, "");
    return find(path)(world.ctx, {
      method: req.method ?? "GET",
      path,
      search: searchParams,
      header,
      readBody: (limit) => readUpTo(limit, header("content-length"), req),
      ipAddress: "198.51.100.7",
    });
  };
  const server = createServer(async (req, res) => {
    try {
      const { status, headers, body } = await answer(req);
      res.writeHead(status, headers).end(body);
    } catch {
      res.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

/** Requests with the same target share their query, as in the service. */
const urlOf = remember((target) => new URL(target, "http://localhost"));
