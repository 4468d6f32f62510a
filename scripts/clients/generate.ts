/**
 * `npm run clients`: generates what the clients take from the OpenAPI document, and records the API's surface, unless that
 * would break clients without a word in the changelog. With `--check` it only compares, and fails if something is out of
 * date.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { changelog } from "#app/api/changelog.ts";
import { openApiDocument } from "#app/api/openapi.ts";
import { breakages, surfaceOf } from "#app/api/surface.ts";
import { plainDocument } from "./plain-document.ts";
import { pythonModule } from "./python.ts";
import { typeScriptModules } from "./typescript.ts";

process.chdir(fileURLToPath(new URL("../..", import.meta.url)));

const openApi = openApiDocument("http://localhost:3000");
const document = plainDocument(openApi);
const surfaceFile = "app/api/surface.txt";
const surface = surfaceOf(openApi);
const files: Record<string, string> = {
  ...(await typeScriptModules(document)),
  "clients/python/shipping_route_data/api.py": pythonModule(document),
  [surfaceFile]: `${surface.join("\n")}\n`,
};

const recorded = fs.existsSync(surfaceFile) ? fs.readFileSync(surfaceFile, "utf8").trimEnd().split("\n") : [];
const announced = changelog.flatMap(({ breaks = [] }) => breaks);
const unannounced = breakages(recorded, surface).filter((line) => !announced.includes(line));
for (const line of unannounced) process.stderr.write(`Breaks clients: ${line}\n`);
if (unannounced.length > 0) {
  process.stderr.write("Keep it, or add an entry with `breaks` to app/api/changelog.ts\n");
  process.exit(1);
}

const isCurrent = ([file, text]: [string, string]) => fs.existsSync(file) && fs.readFileSync(file, "utf8") === text;
const outdated = Object.entries(files).filter((entry) => !isCurrent(entry));

if (process.argv.includes("--check")) {
  for (const [file] of outdated) process.stderr.write(`${file} does not match the contracts; run npm run clients\n`);
  process.exitCode = outdated.length > 0 ? 1 : 0;
} else {
  for (const [file, text] of outdated) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    process.stdout.write(`${file}\n`);
  }
}
