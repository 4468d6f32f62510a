import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { variables } from "./env.server.ts";

const file = (name: string) => new URL(`../../${name}`, import.meta.url);
const linesOf = (name: string) => readFileSync(file(name), "utf8").split("\n");

test("README.md explains every variable, in the words of .env.example", () => {
  const explained = linesOf("README.md").flatMap((line) => {
    const [, name, meaning] = /^\| `([A-Z_]+)` \| (.+) \|$/.exec(line) ?? [];
    return name === undefined || meaning === undefined ? [] : [{ name, meaning }];
  });
  const example = linesOf(".env.example");
  expect(explained).toEqual(
    Object.keys(variables).map((name) => ({
      name,
      meaning: example[example.indexOf(`${name}=`) - 1]?.replace(/^# /, ""),
    })),
  );
});

test.each(["README.md", "docs/decisions.md", "bench/results/http.md"])("the links of %s are not broken", (name) => {
  const targets = [...readFileSync(file(name), "utf8").matchAll(/\]\(([^)#:]+)\)/g)].map(([, target]) => target ?? "");
  const missing = targets.filter((target) => !existsSync(new URL(target, file(name))));
  expect(missing).toEqual([]);
});

test("the files and folders that README.md names exist", () => {
  const named = [
    ...readFileSync(file("README.md"), "utf8").matchAll(/`((?:app|drizzle|e2e|docs|scripts)\/[\w./-]+)`/g),
  ];
  const missing = named.map(([, path]) => path ?? "").filter((path) => !existsSync(file(path)));
  expect(missing).toEqual([]);
});
