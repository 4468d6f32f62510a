/**
 * `npm run bench` brings the build up to date and runs every benchmark; `npm run bench -- http` runs one.
 * `npm run bench -- beside ../other` compares the API with the build of another checkout.
 */
import path from "node:path";
import { tsImport } from "tsx/esm/api";
import { build, checkNode, fail, install } from "../scripts/prepare.mjs";

const benchmarks = ["http", "purchase", "portal", "import"];

checkNode();
const [first, folder] = process.argv.slice(2);
const beside = first === "beside" ? path.resolve(folder ?? fail("Beside which checkout?")) : null;
const chosen = beside === null ? process.argv.slice(2) : [];
const unknown = chosen.filter((name) => !benchmarks.includes(name));
if (unknown.length > 0) fail(`No such benchmark: ${unknown.join(", ")}. There are: ${benchmarks.join(", ")}.`);
try {
  await install();
  await build();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
if (beside !== null) {
  const { run } = await tsImport("./beside.ts", import.meta.url);
  await run(beside);
  process.exit();
}
for (const name of benchmarks.filter((each) => chosen.length === 0 || chosen.includes(each))) {
  const { run } = await tsImport(`./${name}.ts`, import.meta.url);
  await run();
}
