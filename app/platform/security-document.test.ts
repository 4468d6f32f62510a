import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const text = readFileSync(new URL("docs/security.md", root), "utf8");

/** The requirements of levels 1 and 2 of ASVS 5.0.0, by section. Chapters without any function here have a single line. */
const sections: Record<string, number[]> = {
  "1.1": [1, 2],
  "1.2": [1, 2, 3, 4, 5, 6, 7, 8, 9],
  "1.3": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  "1.4": [1, 2, 3],
  "1.5": [1, 2],
  "2.1": [1, 2, 3],
  "2.2": [1, 2, 3],
  "2.3": [1, 2, 3, 4],
  "2.4": [1],
  "3.2": [1, 2],
  "3.3": [1, 2, 3, 4],
  "3.4": [1, 2, 3, 4, 5, 6],
  "3.5": [1, 2, 3, 4, 5],
  "3.7": [1, 2],
  "4.1": [1, 2, 3],
  "4.2": [1],
  "4.3": [1, 2],
  "4.4": [1, 2, 3, 4],
  "5.1": [1],
  "5.2": [1, 2, 3],
  "5.3": [1, 2],
  "5.4": [1, 2, 3],
  "6.1": [1, 2, 3],
  "6.2": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  "6.3": [1, 2, 3, 4],
  "6.4": [1, 2, 3, 4],
  "6.5": [1, 2, 3, 4, 5],
  "6.6": [1, 2, 3],
  "6.8": [1, 2, 3, 4],
  "7.1": [1, 2, 3],
  "7.2": [1, 2, 3, 4],
  "7.3": [1, 2],
  "7.4": [1, 2, 3, 4, 5],
  "7.5": [1, 2],
  "7.6": [1, 2],
  "8.1": [1, 2],
  "8.2": [1, 2, 3],
  "8.3": [1],
  "8.4": [1],
  "9.1": [1, 2, 3],
  "9.2": [1, 2, 3, 4],
  "11.1": [1, 2],
  "11.2": [1, 2, 3],
  "11.3": [1, 2, 3],
  "11.4": [1, 2, 3, 4],
  "11.5": [1],
  "11.6": [1],
  "12.1": [1, 2, 3],
  "12.2": [1, 2],
  "12.3": [1, 2, 3, 4],
  "13.1": [1],
  "13.2": [1, 2, 3, 4, 5],
  "13.3": [1, 2],
  "13.4": [1, 2, 3, 4, 5],
  "14.1": [1, 2],
  "14.2": [1, 2, 3, 4],
  "14.3": [1, 2, 3],
  "15.1": [1, 2, 3],
  "15.2": [1, 2, 3],
  "15.3": [1, 2, 3, 4, 5, 6, 7],
  "16.1": [1],
  "16.2": [1, 2, 3, 4, 5],
  "16.3": [1, 2, 3, 4],
  "16.4": [1, 2, 3],
  "16.5": [1, 2, 3],
};
const wholeChapters = ["10.*", "17.*"];

const rows = [...text.matchAll(/^\| (\d+\.(?:\d+\.\d+|\*)) \| ([^|]+) \| ([^|]+) \|([^|]*)\|$/gm)].map(
  ([, id = "", status = "", how = "", proof = ""]) => ({ id, status: status.trim(), how: how.trim(), proof }),
);

test("docs/security.md lists each requirement of levels 1 and 2 once", () => {
  const expected = Object.entries(sections).flatMap(([section, numbers]) =>
    numbers.map((each) => `${section}.${each}`),
  );
  expect(rows.map(({ id }) => id).sort()).toEqual([...expected, ...wholeChapters].sort());
});

test("every line has a known status and a reason, and what is met names where", () => {
  const statuses = ["Met", "Operator", "Not applicable", "Deviation", "Open"];
  expect(rows.filter(({ status, how }) => !statuses.includes(status) || how === "")).toEqual([]);
  expect(rows.filter(({ status, proof }) => status !== "Not applicable" && !proof.includes("`"))).toEqual([]);
});

test("the files and sections that docs/security.md names exist", () => {
  const named = [...text.matchAll(/`([\w$.-]+(?:\/[\w$.-]+)*\.(?:tsx?|md|json|jsonc|mjs))`/g)].map(
    ([, path]) => path ?? "",
  );
  const linked = [...text.matchAll(/\]\(([^)#:]+\.md)[^)]*\)/g)].map(([, path]) => `docs/${path}`);
  expect([...named, ...linked].filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
  const headings = new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => `#${title.toLowerCase().replaceAll(" ", "-")}`),
  );
  const anchors = [...text.matchAll(/\]\((#[^)]+)\)/g)].map(([, anchor]) => anchor ?? "");
  expect(anchors.filter((anchor) => !headings.has(anchor))).toEqual([]);
});
