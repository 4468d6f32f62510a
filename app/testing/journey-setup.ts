/** Before the browser journeys: the database that each worker's service clones. It runs until the last journey ends. */
import { openTestServer, prepareSeededTemplate } from "./test-server.ts";

const setup = async (): Promise<() => Promise<void>> => {
  const server = await openTestServer();
  await prepareSeededTemplate(server.adminUrl);
  return server.stop;
};
export default setup;
