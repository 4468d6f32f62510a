/**
 * Fails if a package-lock.json would install a package without a pinned hash, or from elsewhere than the public registry. A
 * lockfile with a private registry's host does not work for anybody else.
 */
import fs from "node:fs";

const registry = "https://registry.npmjs.org/";
type Entry = { integrity?: string; resolved?: string; link?: boolean; optional?: boolean; cpu?: string[] };
type Lockfile = { lockfileVersion: number; packages: Record<string, Entry> };
/** The service's, and those of what the benchmark compares it with. */
const lockfiles = ["", "bench/contestants/", "bench/contestants/express-gateway/"].map(
  (folder) => `${folder}package-lock.json`,
);

const complaintsAbout = (place: string, { integrity, resolved, link, optional, cpu }: Entry): string[] => {
  const complaints: string[] = [];
  if (link) complaints.push("is a link to a folder");
  if (resolved !== undefined && !resolved.startsWith(registry)) complaints.push(`comes from ${resolved}`);
  if (integrity !== undefined && !integrity.startsWith("sha512-")) complaints.push(`is pinned by ${integrity} only`);
  // Binaries for other platforms, missing in the registry that wrote the lockfile. npm skips them here.
  if (integrity === undefined && !(optional && cpu)) complaints.push("has no integrity");
  return complaints.map((complaint) => `${place} ${complaint}`);
};

const complaints = lockfiles.map((file) => {
  const { lockfileVersion, packages } = JSON.parse(fs.readFileSync(file, "utf8")) as Lockfile;
  const entries = Object.entries(packages).filter(([place]) => place !== "");
  const found = entries.flatMap(([place, entry]) => complaintsAbout(place, entry));
  if (lockfileVersion !== 3) found.push(`Version ${lockfileVersion} of the format is not the expected 3`);
  for (const complaint of found) process.stdout.write(`${file}: ${complaint}\n`);
  process.stdout.write(`${file}: ${entries.length} packages, ${found.length} complaints\n`);
  return found.length;
});
process.exitCode = complaints.some((count) => count > 0) ? 1 : 0;
