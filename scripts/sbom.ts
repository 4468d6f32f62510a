/**
 * `npm run sbom [-- FILE]`: writes the list of all packages of the lockfile, with hashes and licences, in CycloneDX's JSON
 * format. Packages that only build and test the service are marked as such. Not committed, as it follows from the lockfile.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { named, type Sbom, sbomComplaints } from "./supply/sbom.ts";

type Entry = { version: string; inBundle?: boolean };
const read = <Content>(file: string) => JSON.parse(fs.readFileSync(file, "utf8")) as Content;
const file = process.argv[2] ?? path.join("build", "sbom.cdx.json");
const { packages } = read<{ packages: Record<string, Entry> }>("package-lock.json");
const bundled = Object.entries(packages)
  .filter(([, { inBundle }]) => inBundle)
  .map(([place, { version }]) => `${place.slice(place.lastIndexOf("node_modules/") + 13)}@${version}`);

const { status, stdout, stderr } = spawnSync("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"], {
  encoding: "utf8",
  maxBuffer: 256 * 1024 * 1024,
});
if (status === 0) {
  const sbom = named(JSON.parse(stdout) as Sbom, read<{ name: string }>("package.json").name);
  const complaints = sbomComplaints(sbom, new Set(bundled));
  for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  process.stdout.write(`${file}: CycloneDX ${sbom.specVersion}, ${sbom.components.length} packages\n`);
  process.exitCode = complaints.length > 0 ? 1 : 0;
} else {
  process.stderr.write(`${stderr}\nnpm could not list the packages: see above. It takes npm 10 or later.\n`);
  process.exitCode = 1;
}
