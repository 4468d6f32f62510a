/**
 * `npm run bench` brings the build up to date and runs every benchmark; `npm run bench -- http purchase` runs these, and
 * options after them go to each: `npm run bench -- http --quick`. README.md describes them.
 */
import { tsImport } from "tsx/esm/api";
import { build, checkNode, fail, install } from "../scripts/prepare.mjs";

const benchmarks = ["http", "endpoints", "purchase", "portal", "import", "reports", "search", "workers"];
/** Only run when named. */
const onDemand = ["beside", "scale", "simulate"];

checkNode();
const args = process.argv.slice(2);
const known = [...benchmarks, ...onDemand];
const end = args.findIndex((arg) => !known.includes(arg));
const chosen = args.slice(0, end === -1 ? args.length : end);
const options = args.slice(chosen.length);
if (chosen.length === 0 && options.length > 0) {
  fail(`No such benchmark: ${options[0]}. There are: ${known.join(", ")}.`);
}
try {
  await install();
  // A simulation needs no service.
  if (chosen.length === 0 || chosen.some((name) => name !== "simulate")) await build();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
for (const name of chosen.length === 0 ? benchmarks : chosen) {
  const { run } = await tsImport(`./${name}.ts`, import.meta.url);
  await run(options);
}
