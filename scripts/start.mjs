/** `npm start`: installs and builds what is missing or out of date, then serves, in this same process. */
import { build, checkNode, fail, install } from "./prepare.mjs";

checkNode();
try {
  await install();
  await build();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
// Only now: before the installation there is no tsx.
const { register } = await import("tsx/esm/api");
register();
await import("../server/main.ts");
