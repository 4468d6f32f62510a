/** `npm run bench`: builds what is out of date, then every benchmark. `npm run bench -- http` runs one. */
import { tsImport } from "tsx/esm/api";
import { build, checkNode, fail, install } from "../scripts/prepare.mjs";

const benchmarks = ["http", "purchase", "portal"];

checkNode();
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !benchmarks.includes(name));
if (unknown.length > 0) fail(`No such benchmark: ${unknown.join(", ")}. There are: ${benchmarks.join(", ")}.`);
try {
  await install();
  await build();
} catch (error) {
  fail(error.message);
}
for (const name of benchmarks.filter((each) => asked.length === 0 || asked.includes(each))) {
  const { run } = await tsImport(`./${name}.ts`, import.meta.url);
  await run();
}
