/** The services of the contract suite: the same build, served by our own server and by remix-serve. */
import type { TestProject } from "vitest/node";
import { startService } from "./service.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Base URLs without a trailing slash. Both use the same database. */
    services: { server: string; remixServe: string; databaseUrl: string };
  }
}

const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  // As behind a proxy, so that a test can have its own client address.
  const env = { TRUST_PROXY: "1" };
  const server = await startService({ env });
  const remixServe = await startService({ env, by: "remix-serve", databaseUrl: server.databaseUrl }).catch(
    async (error) => {
      await server.stop();
      throw error;
    },
  );
  project.provide("services", { server: server.url, remixServe: remixServe.url, databaseUrl: server.databaseUrl });
  return async () => {
    await remixServe.stop();
    await server.stop();
  };
};
export default setup;
