/** Prepares the database that each worker's service clones. Its server runs until the last browser journey has ended. */
import { openTestServer, prepareSeededTemplate } from "./test-server.ts";

const setup = async (): Promise<() => Promise<void>> => {
  const server = await openTestServer();
  await prepareSeededTemplate(server.adminUrl);
  return server.stop;
};
export default setup;
