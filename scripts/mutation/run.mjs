/**
 * `npm run mutation [-- AREA … [--option …]]`: changes the rules one expression at a time, and fails if too few of the changes
 * make a test fail. Takes minutes, so it is not part of `npm test`. Options are Stryker's, such as `--concurrency 1`.
 */
import { spawnSync } from "node:child_process";
import { areas } from "./areas.mjs";

const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith("-"));
const options = firstOption < 0 ? [] : words.slice(firstOption);
const named = firstOption < 0 ? words : words.slice(0, firstOption);
const unknown = named.filter((name) => !areas[name]);
if (unknown.length > 0) {
  process.stderr.write(`Unknown: ${unknown.join(", ")}. The areas are ${Object.keys(areas).join(", ")}.\n`);
  process.exit(2);
}
const wanted = named.length > 0 ? named : Object.keys(areas);
const failed = wanted.filter((name) => {
  process.stdout.write(`── ${name}\n`);
  const { status } = spawnSync(
    "node_modules/.bin/stryker",
    ["run", "scripts/mutation/stryker.config.mjs", ...options],
    {
      stdio: "inherit",
      env: { ...process.env, MUTATION_AREA: name },
    },
  );
  return status !== 0;
});
process.stdout.write(failed.length === 0 ? "Every area passed.\n" : `Failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
