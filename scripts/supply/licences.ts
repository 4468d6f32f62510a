/** Which licences the packages may have. SPDX names, see https://spdx.org/licenses. */

/** What the service runs with: licences that only ask to keep a notice, or nothing. */
const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
  "Zlib",
]);

/**
 * What only builds and tests it may also have terms for changed copies, as we distribute none. Fonts and maps become part of
 * the pages: OFL-1.1 allows that.
 */
const tools = new Set([...permissive, "CC-BY-3.0", "CC-BY-4.0", "MPL-2.0", "OFL-1.1", "Python-2.0"]);

/** Packages whose package.json names no SPDX licence, by name and version, so that a new release is looked at again. */
export const exceptions: Record<string, string> = {
  "eval@0.1.8": "MIT, written in an old form of package.json",
  "format@0.2.2": "MIT, written in an old form of package.json",
  "jsonify@0.0.1": "dedicated to the public domain, as its readme says",
  "png-js@2.0.0": "MIT, as its LICENSE file says; package.json names none",
  "require-like@0.1.2": "MIT, as its License file says; package.json names none",
};

export type Licensed = { name: string; version: string; licence: unknown; isTool: boolean };

/** @returns a sentence for each package with another licence, and for each exception that is not needed */
export const licenceComplaints = (packages: readonly Licensed[], excepted = exceptions): string[] => {
  const used = new Set<string>();
  const complaints = packages.flatMap(({ name, version, licence, isTool }) => {
    if (typeof licence === "string" && isAllowed(licence, isTool ? tools : permissive)) return [];
    const id = `${name}@${version}`;
    used.add(id);
    if (excepted[id] !== undefined) return [];
    const stated = typeof licence === "string" ? licence : (JSON.stringify(licence) ?? "none");
    return [`${id} (${isTool ? "a tool" : "used by the service"}) has the licence ${stated}`];
  });
  const needless = Object.keys(excepted).filter((id) => !used.has(id));
  return [...new Set([...complaints, ...needless.map((id) => `${id} needs no exception`)])];
};

/** An SPDX expression: names, AND, OR and parentheses. Anything else (WITH, "or later") is not allowed. */
export const isAllowed = (expression: string, allowed: ReadonlySet<string>): boolean => {
  const words = expression.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const operand = (): boolean => {
    const word = words[at++];
    if (word !== "(") return word !== undefined && allowed.has(word);
    const result = either();
    return words[at++] === ")" && result;
  };
  const both = (): boolean => {
    let result = operand();
    while (words[at] === "AND") {
      at += 1;
      result = operand() && result;
    }
    return result;
  };
  const either = (): boolean => {
    let result = both();
    while (words[at] === "OR") {
      at += 1;
      result = both() || result;
    }
    return result;
  };
  const result = either();
  return result && at === words.length;
};
