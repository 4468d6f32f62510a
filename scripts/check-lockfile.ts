/**
 * Fails if package-lock.json would install a package without a pinned hash, or from elsewhere than the public registry. A
 * lockfile with a private registry's host does not work for anybody else.
 */
import fs from "node:fs";

const registry = "https://registry.npmjs.org/";
type Entry = { integrity?: string; resolved?: string; link?: boolean; optional?: boolean; cpu?: string[] };
type Lockfile = { lockfileVersion: number; packages: Record<string, Entry> };
const { lockfileVersion, packages } = JSON.parse(fs.readFileSync("package-lock.json", "utf8")) as Lockfile;

const complaintsAbout = (place: string, { integrity, resolved, link, optional, cpu }: Entry): string[] => {
  const complaints: string[] = [];
  if (link) complaints.push("is a link to a folder");
  if (resolved !== undefined && !resolved.startsWith(registry)) complaints.push(`comes from ${resolved}`);
  if (integrity !== undefined && !integrity.startsWith("sha512-")) complaints.push(`is pinned by ${integrity} only`);
  // Binaries for other platforms, missing in the registry that wrote the lockfile. npm skips them here.
  if (integrity === undefined && !(optional && cpu)) complaints.push("has no integrity");
  return complaints.map((complaint) => `${place} ${complaint}`);
};

const complaints = Object.entries(packages)
  .filter(([place]) => place !== "")
  .flatMap(([place, entry]) => complaintsAbout(place, entry));
if (lockfileVersion !== 3) complaints.push(`Version ${lockfileVersion} of the format is not the expected 3`);

for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(`${Object.keys(packages).length - 1} packages, ${complaints.length} complaints\n`);
process.exitCode = complaints.length > 0 ? 1 : 0;
