/**
 * Whether the patches of `patches/` are in the installed packages. An installation without scripts leaves them out, and the
 * unpatched database driver can end the service, or run a statement in the wrong transaction
 * (docs/decisions/0013-patched-postgres-driver.md).
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** Its message says what to do. */
export class MissingPatch extends Error {}

let isChecked = false;

/** @throws MissingPatch unless the packages of this checkout have their patches */
export const requirePatches = (): void => {
  if (isChecked) return;
  const [missing] = missingPatches(projectFolder());
  if (missing !== undefined) throw new MissingPatch(missing);
  isChecked = true;
};

/** The folder whose node_modules has the driver: the build runs from another place than the sources. */
const projectFolder = (): string => {
  const driver = createRequire(import.meta.url).resolve("postgres");
  return driver.slice(0, driver.lastIndexOf(`${path.sep}node_modules${path.sep}`));
};

/** What is wrong, a sentence each, and what to do about it. */
export const missingPatches = (root: string): string[] => {
  const folder = path.join(root, "patches");
  const patches = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith(".patch")) : [];
  if (patches.length === 0) {
    return [`The patches of our packages are missing in ${folder}: copy that folder too, and start again.`];
  }
  return patches.flatMap((patch) => {
    const files = patchedFiles(fs.readFileSync(path.join(folder, patch), "utf8"));
    if (files.length === 0) return [`patches/${patch} names no file: restore it, and start again.`];
    return files
      .filter(({ file, blob }) => !blobOf(path.join(root, file)).startsWith(blob))
      .map(
        ({ file }) =>
          `${file} is not what patches/${patch} makes of it: the packages were installed without scripts, or changed ` +
          'since. Run "npx patch-package --error-on-fail", or "npm ci" with scripts, and start again.',
      );
  });
};

/** Git's format names each file's hash before and after the change, abbreviated. */
const patchedFiles = (patch: string): { file: string; blob: string }[] =>
  [...patch.matchAll(/^diff --git a\/(\S+) b\/\S+\nindex [0-9a-f]+\.\.([0-9a-f]{7,})/gm)].map(
    ([, file = "", blob = ""]) => ({ file, blob }),
  );

/** Git's hash of a file's content; empty if there is no such file. */
const blobOf = (file: string): string => {
  if (!fs.existsSync(file)) return "";
  const content = fs.readFileSync(file);
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
};
