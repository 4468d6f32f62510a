/** Prepares the database template, once per test run. */
import type { TestProject } from "vitest/node";
import { openTestServer, prepareTemplate } from "./test-server.ts";

const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await openTestServer();
  project.provide("testDatabase", { adminUrl: server.adminUrl, template: await prepareTemplate(server.adminUrl) });
  return server.stop;
};
export default setup;
