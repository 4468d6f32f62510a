/**
 * Fails if a package-lock.json would install a package without a pinned hash, or from elsewhere than the public registry. A
 * lockfile with a private registry's host does not work for anybody else. Install scripts run only where package.json allows
 * them.
 */
import fs from "node:fs";
import { type Entries, undecidedScripts, unverified } from "./supply/lockfile.mjs";

/** The service's, and those of what the benchmark compares it with, which are installed without scripts. */
const folders = ["", "bench/contestants/", "bench/contestants/express-gateway/"];

const read = <Content>(file: string) => JSON.parse(fs.readFileSync(file, "utf8")) as Content;
const { allowScripts } = read<{ allowScripts: Record<string, boolean> }>("package.json");

const complaints = folders.map((folder) => {
  const file = `${folder}package-lock.json`;
  const { lockfileVersion, packages } = read<{ lockfileVersion: number; packages: Entries }>(file);
  const found = unverified(packages);
  if (folder === "") found.push(...undecidedScripts(packages, allowScripts));
  if (lockfileVersion !== 3) found.push(`Version ${lockfileVersion} of the format is not the expected 3`);
  for (const complaint of found) process.stdout.write(`${file}: ${complaint}\n`);
  process.stdout.write(`${file}: ${Object.keys(packages).length - 1} packages, ${found.length} complaints\n`);
  return found.length;
});
process.exitCode = complaints.some((count) => count > 0) ? 1 : 0;
