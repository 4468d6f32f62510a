/** Once per test run: the database to clone, and for the contract suite the built service. */
import type { TestProject } from "vitest/node";
import { openTestServer, prepareTemplate } from "./test-server.ts";

const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await openTestServer();
  project.provide("testDatabase", { adminUrl: server.adminUrl, template: await prepareTemplate(server.adminUrl) });
  return server.stop;
};
export default setup;
