/** What a package-lock.json promises. Plain JavaScript: `npm start` checks it before anything is installed. */

/**
 * @typedef {{
 *   version?: string, integrity?: string, resolved?: string, link?: boolean, inBundle?: boolean, optional?: boolean,
 *   devOptional?: boolean, hasInstallScript?: boolean, optionalDependencies?: Record<string, string>,
 * }} Entry
 * @typedef {Record<string, Entry>} Entries by their place, such as `node_modules/react`; "" is the project itself
 */

const registry = "https://registry.npmjs.org/";
const folder = "node_modules/";

/**
 * Packages that npm would install without a check of their contents, or from elsewhere than the public registry. A package
 * for another platform counts too: npm skips it here and installs it there.
 *
 * @type {(packages: Entries) => string[]}
 */
export const unverified = (packages) =>
  installable(packages).flatMap(([place, entry]) => {
    const complaints = [];
    if (entry.link) complaints.push("is a link to a folder");
    if (entry.resolved !== undefined && !entry.resolved.startsWith(registry))
      complaints.push(`comes from ${entry.resolved}`);
    if (entry.integrity === undefined) {
      if (!isBundledInPinned(packages, place, entry)) complaints.push("has no integrity");
    } else if (!entry.integrity.startsWith("sha512-")) complaints.push(`is pinned by ${entry.integrity} only`);
    return [
      ...complaints.map((complaint) => `${place} ${complaint}`),
      ...Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !isReachable(packages, place, name))
        .map((name) => `${place} may install ${name}, which the lockfile does not have`),
    ];
  });

/**
 * Packages whose install scripts nobody has decided on.
 *
 * @param {Entries} packages
 * @param {Record<string, boolean>} decided `allowScripts` of package.json
 */
export const undecidedScripts = (packages, decided) =>
  installable(packages)
    .filter(([place, { hasInstallScript }]) => hasInstallScript && decided[nameOf(place)] === undefined)
    .map(([place]) => `${place} has an install script: decide in "allowScripts" of package.json whether it runs`);

/**
 * How the installed packages differ from the lockfile. Those for other platforms may be missing.
 *
 * @param {Entries} packages
 * @param {Entries} installed from node_modules/.package-lock.json, which npm writes
 */
export const differences = (packages, installed) => [
  ...installable(installed).flatMap(([place, { version, integrity }]) => {
    const wanted = packages[place];
    if (wanted?.version === version && wanted?.integrity === integrity) return [];
    return [`${place} ${version} is installed${otherThan(wanted, version)}`];
  }),
  ...installable(packages)
    .filter(([place, { optional, devOptional }]) => !optional && !devOptional && !installed[place])
    .map(([place]) => `${place} is not installed`),
];

/** @type {(wanted: Entry | undefined, version: string | undefined) => string} */
const otherThan = (wanted, version) => {
  if (!wanted) return ", and not in the lockfile";
  return wanted.version === version ? " with other contents than locked" : `, not ${wanted.version} as locked`;
};

/** @type {(packages: Entries) => [place: string, entry: Entry][]} */
const installable = (packages) => Object.entries(packages).filter(([place]) => place !== "");

/** @type {(place: string) => string} */
const nameOf = (place) => place.slice(place.lastIndexOf(folder) + folder.length);

/** The package that `place` is nested in, "" for the project. @type {(place: string) => string} */
const parentOf = (place) => place.slice(0, Math.max(0, place.lastIndexOf(`/${folder}`)));

/** A bundled package is part of the other one's archive. @type {(packages: Entries, place: string, entry: Entry) => boolean} */
const isBundledInPinned = (packages, place, { inBundle }) => {
  if (!inBundle) return false;
  for (let parent = parentOf(place); parent !== ""; parent = parentOf(parent)) {
    const entry = packages[parent];
    if (!entry?.inBundle) return entry?.integrity !== undefined;
  }
  return false;
};

/** Where Node would look for `name`. @type {(packages: Entries, place: string, name: string) => boolean} */
const isReachable = (packages, place, name) => {
  for (let from = place; from !== ""; from = parentOf(from)) {
    if (packages[`${from}/${folder}${name}`]) return true;
  }
  return packages[folder + name] !== undefined;
};
