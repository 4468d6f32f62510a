import { createServer, type Server } from "node:http";
import type { Config } from "#app/platform/env.server.ts";
import { Trouble } from "./trouble.ts";

type Address = Pick<Config, "host" | "port">;

/** @returns the address to open in a browser @throws Trouble if the port cannot be used */
export const listen = async (server: Server, { host, port }: Address): Promise<string> => {
  // Longer than load balancers keep idle connections, so that they never write to a connection that is closing.
  server.keepAliveTimeout = 65_000;
  // The HTTP server limits requests itself, as uploads may take longer (`http-server.server.ts`).
  server.requestTimeout = 0;
  server.headersTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(portTrouble(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  return `http://${host === "127.0.0.1" || host === "0.0.0.0" || host === "::" ? "localhost" : host}:${port}`;
};

/** Tells that a port is taken before the database is started and migrated. @throws Trouble */
export const probePort = async (address: Address): Promise<void> => {
  const probe = createServer();
  await listen(probe, address);
  await new Promise((resolve) => probe.close(resolve));
};

const portTrouble = (error: NodeJS.ErrnoException, host: string, port: number): Error => {
  const noAddress = `${host} is no address of this machine. Correct HOST, or unset it.`;
  const advice: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another process. Stop that one, or choose another: PORT=${port + 1} npm start`,
    EACCES: `This user may not listen on port ${port}. Choose one above 1023 with PORT, for example PORT=3000.`,
    EADDRNOTAVAIL: noAddress,
    ENOTFOUND: noAddress,
  };
  const message = advice[error.code ?? ""];
  return message === undefined ? error : new Trouble(message);
};
