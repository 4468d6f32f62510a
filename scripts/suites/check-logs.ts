/** `node --import tsx scripts/suites/check-logs.ts FOLDER`: fails if a log in the folder contains a secret or personal data. */
import fs from "node:fs";
import path from "node:path";
import { secretsIn } from "#app/testing/log-secrets.ts";

const [folder = ""] = process.argv.slice(2);
/** The demo's logins, which a start shows to the developer. */
const announcement = /^(Demo login|Operator|Try) /;

let searched = 0;
let found = 0;
for (const file of fs.readdirSync(folder)) {
  for (const [index, line] of fs.readFileSync(path.join(folder, file), "utf8").split("\n").entries()) {
    if (announcement.test(line)) continue;
    searched += 1;
    for (const kind of secretsIn(line)) {
      process.stdout.write(`${file}:${index + 1}: ${kind}: ${line}\n`);
      found += 1;
    }
  }
}
process.stdout.write(`${searched} lines, ${found} secrets\n`);
process.exitCode = found > 0 || searched === 0 ? 1 : 0;
