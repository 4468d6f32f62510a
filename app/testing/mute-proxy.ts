/** A TCP proxy that can go silent: connections stay open, but no data passes. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type MuteProxy = {
  /** The target's URL with the address of the proxy. */
  url: string;
  silence(): void;
  resume(): void;
  close(): Promise<void>;
};

export const openMuteProxy = async (target: string): Promise<MuteProxy> => {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((inward) => {
    const outward = connect(Number(port || 5432), hostname);
    for (const [from, to] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(from);
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isSilent) from.pause();
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isSilent = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
};
