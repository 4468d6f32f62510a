/** `npm start`: installs and builds what is missing or out of date, then serves, in this same process. */
import { build, checkNode, fail, install } from "./prepare.mjs";

checkNode();
try {
  await install();
  await build();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
// Only now: it needs what has just been installed and built.
await import("./serve.mjs");
