import { expect, it } from "vitest";
import { named, type Sbom, sbomComplaints } from "./sbom.ts";

const component = (name: string, version = "1.0.0") => ({
  "bom-ref": `${name}@${version}`,
  name,
  version,
  type: "library",
  purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
  hashes: [{ alg: "SHA-512", content: "00" }],
});
const sbom = (changes: Partial<Sbom> = {}): Sbom => ({
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  metadata: { component: component("folder") },
  components: [component("a"), component("@b/c")],
  dependencies: [{ ref: "folder@1.0.0", dependsOn: ["a@1.0.0", "@b/c@1.0.0"] }],
  ...changes,
});

it("names the service, and calls it an application", () => {
  expect(named(sbom(), "service").metadata.component).toMatchObject({ name: "service", type: "application" });
});

it("accepts a list with unique packages, their hashes and their dependencies", () => {
  expect(sbomComplaints(sbom(), new Set())).toEqual([]);
});

it.each<[string, Partial<Sbom>, string]>([
  ["another format", { bomFormat: "SPDX" }, "The format is SPDX"],
  ["an empty list", { components: [], dependencies: [] }, "There are no components"],
  ["a package twice", { components: [component("a"), component("a"), component("@b/c")] }, "a@1.0.0 is there twice"],
  [
    "a wrong package URL",
    { components: [{ ...component("a"), purl: "pkg:npm/x@1.0.0" }, component("@b/c")] },
    "a@1.0.0 has the package URL pkg:npm/x@1.0.0",
  ],
  [
    "a package without hash",
    { components: [{ ...component("a"), hashes: [] }, component("@b/c")] },
    "a@1.0.0 has no SHA-512 hash",
  ],
  [
    "an unknown dependency",
    { dependencies: [{ ref: "a@1.0.0", dependsOn: ["d@1.0.0"] }] },
    "d@1.0.0 is named and not there",
  ],
])("complains about %s", (_, changes, complaint) => {
  expect(sbomComplaints(sbom(changes), new Set())).toEqual([complaint]);
});

it("accepts a bundled package without a hash of its own", () => {
  const components = [{ ...component("a"), hashes: [] }, component("@b/c")];
  expect(sbomComplaints(sbom({ components }), new Set(["a@1.0.0"]))).toEqual([]);
});
