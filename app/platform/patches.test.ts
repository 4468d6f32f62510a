import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { missingPatches } from "./patches.server.ts";

const installed = path.resolve("node_modules/postgres/src/connection.js");
const patch = path.resolve("patches/postgres+3.4.9.patch");

let root: string;
const driver = () => path.join(root, "node_modules/postgres/src/connection.js");
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "patches-"));
  for (const folder of ["src", "types"]) {
    cpSync(`node_modules/postgres/${folder}`, path.join(root, "node_modules/postgres", folder), { recursive: true });
  }
  mkdirSync(path.join(root, "patches"));
  cpSync(patch, path.join(root, "patches/postgres+3.4.9.patch"));
});
afterEach(() => rmSync(root, { recursive: true }));

it("accepts the packages that npm and patch-package have installed", () => {
  expect(missingPatches(root)).toEqual([]);
});

it("names a file without the patch, and the command that applies it", () => {
  const unpatched = readFileSync(installed, "utf8").replace(/^.*answerTimer.*\n/gm, "");
  writeFileSync(driver(), unpatched);
  expect(missingPatches(root)).toEqual([
    expect.stringMatching(/^node_modules\/postgres\/src\/connection\.js is not .*"npx patch-package --error-on-fail"/),
  ]);
});

it("names a file that is missing", () => {
  rmSync(driver());
  expect(missingPatches(root)).toEqual([expect.stringContaining("node_modules/postgres/src/connection.js is not")]);
});

it("does not take a missing folder of patches for nothing to check", () => {
  rmSync(path.join(root, "patches"), { recursive: true });
  expect(missingPatches(root)).toEqual([expect.stringContaining("are missing in")]);
});

it("does not take a patch that it cannot read for nothing to check", () => {
  writeFileSync(path.join(root, "patches/postgres+3.4.9.patch"), "--- a/file\n+++ b/file\n");
  expect(missingPatches(root)).toEqual([expect.stringContaining("names no file")]);
});
