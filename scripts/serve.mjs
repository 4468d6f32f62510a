/** Serves, as `npm start` does after installing and building. Also the program of the worker processes. */
import fs from "node:fs";
import { completeEnvironment } from "../server/environment.mjs";

completeEnvironment();
// The build is plain JavaScript. Loaded before tsx is registered, it takes half the time.
const build = new URL("../build/server/index.js", import.meta.url);
if (fs.existsSync(build)) await import(build.href);
const { register } = await import("tsx/esm/api");
register();
await import("../server/main.ts");
