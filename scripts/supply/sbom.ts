/** The list of packages in CycloneDX's format (SBOM), as npm makes it, completed and checked. */

type Component = { "bom-ref": string; name: string; version: string; purl: string; type: string };
type Listed = Component & { hashes?: { alg: string; content: string }[]; licenses?: unknown[] };
export type Sbom = {
  bomFormat: string;
  specVersion: string;
  metadata: { component: Component };
  components: Listed[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** npm takes the name from the folder, and every project for a library. */
export const named = (sbom: Sbom, name: string): Sbom => ({
  ...sbom,
  metadata: { ...sbom.metadata, component: { ...sbom.metadata.component, name, type: "application" } },
});

/**
 * What a reader of the list could not work with.
 *
 * @param bundled packages that are part of another one's archive, and so have no hash of their own
 */
export const sbomComplaints = (sbom: Sbom, bundled: ReadonlySet<string>): string[] => {
  const refs = [sbom.metadata.component, ...sbom.components].map((component) => component["bom-ref"]);
  const known = new Set(refs);
  return [
    ...(sbom.bomFormat === "CycloneDX" ? [] : [`The format is ${sbom.bomFormat}`]),
    ...(sbom.components.length > 0 ? [] : ["There are no components"]),
    ...refs.filter((ref, index) => refs.indexOf(ref) !== index).map((ref) => `${ref} is there twice`),
    ...sbom.components.flatMap(({ "bom-ref": ref, name, version, purl, hashes }) => [
      ...(purl === `pkg:npm/${name.replace("@", "%40")}@${version}` ? [] : [`${ref} has the package URL ${purl}`]),
      ...(hashes?.some(({ alg }) => alg === "SHA-512") || bundled.has(`${name}@${version}`)
        ? []
        : [`${ref} has no SHA-512 hash`]),
    ]),
    ...sbom.dependencies.flatMap(({ ref, dependsOn }) =>
      [ref, ...dependsOn].filter((one) => !known.has(one)).map((one) => `${one} is named and not there`),
    ),
  ];
};
