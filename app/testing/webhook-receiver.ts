/** A receiver of webhooks on this machine that answers as the test says. */
import http from "node:http";
import type { AddressInfo } from "node:net";

export type Received = { path: string; headers: http.IncomingHttpHeaders; body: string };

type Answer = { status?: number; headers?: Record<string, string>; body?: string };

export type Receiver = {
  url: string;
  port: number;
  /** In order of arrival. */
  received: Received[];
  close(): Promise<void>;
};

/** @param answer by default 204 */
export const startReceiver = async (
  answer: (request: Received) => Answer | Promise<Answer> = () => ({}),
): Promise<Receiver> => {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const one = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() };
    received.push(one);
    const { status = 204, headers = {}, body } = await answer(one);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};
