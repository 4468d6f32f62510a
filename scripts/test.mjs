/** `npm test`: installs what is missing, then runs the suites. `npm test -- lint unit` runs those two. */
import { fileURLToPath } from "node:url";
import { checkNode, fail, install } from "./prepare.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
checkNode();
await install().catch((error) => fail(error instanceof Error ? error.message : String(error)));
const { tsImport } = await import("tsx/esm/api");
const { testSuites } = await tsImport("./suites/run.ts", import.meta.url);
process.exitCode = await testSuites(process.argv.slice(2));
