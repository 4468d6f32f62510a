import { describe, expect, it } from "vitest";
import { differences, type Entries, undecidedScripts, unverified } from "./lockfile.mjs";

const pinned = { version: "1.0.0", integrity: "sha512-abc" };
const project = { "": { version: "0.1.0" } };

describe("unverified", () => {
  it("accepts packages that are pinned by SHA-512, and what is bundled in their archives", () => {
    expect(
      unverified({
        ...project,
        "node_modules/a": pinned,
        "node_modules/b": { ...pinned, resolved: "https://registry.npmjs.org/b/-/b-1.0.0.tgz" },
        "node_modules/a/node_modules/c": { version: "1.0.0", inBundle: true },
        "node_modules/a/node_modules/c/node_modules/d": { version: "1.0.0", inBundle: true },
      }),
    ).toEqual([]);
  });

  it.each<[string, Entries, string]>([
    ["a package without integrity", { "node_modules/a": { version: "1.0.0" } }, "node_modules/a has no integrity"],
    [
      "one for another platform without integrity",
      { "node_modules/@a/b": { version: "1.0.0", optional: true } },
      "node_modules/@a/b has no integrity",
    ],
    [
      "one pinned by SHA-1 only",
      { "node_modules/a": { ...pinned, integrity: "sha1-abc" } },
      "node_modules/a is pinned by sha1-abc only",
    ],
    [
      "one of another host",
      { "node_modules/a": { ...pinned, resolved: "https://example.com/a.tgz" } },
      "node_modules/a comes from https://example.com/a.tgz",
    ],
    [
      "one of a host whose name begins like the registry's",
      { "node_modules/a": { ...pinned, resolved: "https://registry.npmjs.org.example.com/a.tgz" } },
      "node_modules/a comes from https://registry.npmjs.org.example.com/a.tgz",
    ],
    ["a link", { "node_modules/a": { ...pinned, link: true } }, "node_modules/a is a link to a folder"],
    [
      "a bundled package at the top, which no archive contains",
      { "node_modules/a": { version: "1.0.0", inBundle: true } },
      "node_modules/a has no integrity",
    ],
    [
      "an optional package that the lockfile does not have",
      { "node_modules/a": { ...pinned, optionalDependencies: { "a-windows": "1.0.0" } } },
      "node_modules/a may install a-windows, which the lockfile does not have",
    ],
  ])("names %s", (_, packages, complaint) => {
    expect(unverified({ ...project, ...packages })).toEqual([complaint]);
  });

  it("names what is bundled in a package without integrity, and that package", () => {
    const packages = {
      ...project,
      "node_modules/a": { version: "1.0.0" },
      "node_modules/a/node_modules/c": { version: "1.0.0", inBundle: true },
    };
    expect(unverified(packages)).toEqual([
      "node_modules/a has no integrity",
      "node_modules/a/node_modules/c has no integrity",
    ]);
  });

  it("finds optional packages beside the one that wants them, and above it", () => {
    const wanting = { ...pinned, optionalDependencies: { c: "1.0.0" } };
    expect(
      unverified({
        "node_modules/a": pinned,
        "node_modules/a/node_modules/b": wanting,
        "node_modules/a/node_modules/c": pinned,
      }),
    ).toEqual([]);
    expect(unverified({ "node_modules/a/node_modules/b": wanting, "node_modules/c": pinned })).toEqual([]);
  });
});

describe("undecidedScripts", () => {
  const packages = {
    "": { hasInstallScript: true },
    "node_modules/a": { ...pinned, hasInstallScript: true },
    "node_modules/b/node_modules/@c/d": { ...pinned, hasInstallScript: true },
    "node_modules/e": pinned,
  };

  it("accepts scripts that are allowed or denied, and the project's own", () => {
    expect(undecidedScripts(packages, { a: true, "@c/d": false })).toEqual([]);
  });

  it("names the others", () => {
    expect(undecidedScripts(packages, { a: false })).toEqual([
      'node_modules/b/node_modules/@c/d has an install script: decide in "allowScripts" of package.json whether it runs',
    ]);
  });
});

describe("differences", () => {
  const locked = {
    ...project,
    "node_modules/a": pinned,
    "node_modules/a-windows": { ...pinned, optional: true },
    "node_modules/b-windows": { ...pinned, devOptional: true },
  };

  it("finds none if everything is installed that belongs on this platform", () => {
    expect(differences(locked, { "node_modules/a": pinned })).toEqual([]);
  });

  it("names a package of another version, with other contents, without a lock, and a missing one", () => {
    expect(differences(locked, { "node_modules/a": { ...pinned, version: "1.1.0" } })).toEqual([
      "node_modules/a 1.1.0 is installed, not 1.0.0 as locked",
    ]);
    expect(differences(locked, { "node_modules/a": { ...pinned, integrity: "sha512-xyz" } })).toEqual([
      "node_modules/a 1.0.0 is installed with other contents than locked",
    ]);
    expect(differences(locked, { "node_modules/a": pinned, "node_modules/b": pinned })).toEqual([
      "node_modules/b 1.0.0 is installed, and not in the lockfile",
    ]);
    expect(differences(locked, {})).toEqual(["node_modules/a is not installed"]);
  });
});
