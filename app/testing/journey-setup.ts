/** Before the browser journeys: the built service with the demo, on a database of its own. */
import { startService } from "./service.ts";

const setup = async (): Promise<() => Promise<void>> => {
  const service = await startService({ env: { TRUST_PROXY: "1" } });
  // As behind a proxy: each journey comes from an address of its own. Workers inherit the environment, and read it in playwright.config.ts.
  process.env.SERVICE_URL = service.url;
  return service.stop;
};
export default setup;
