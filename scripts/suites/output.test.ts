import { expect, it } from "vitest";
import { heading, outputsInOrder } from "./output.ts";

const write = (output: { write(chunk: Buffer): void }, text: string) => output.write(Buffer.from(text));

it("prints each suite's output in one piece and in order, and streams that of the first", () => {
  let shown = "";
  const outputs = outputsInOrder(["types", "lint", "unit"], (text) => {
    shown += text;
  });
  const [types, lint, unit] = [outputs("types"), outputs("lint"), outputs("unit")];
  write(lint, "lint 1\n");
  unit.end();
  expect(shown).toBe("");
  write(types, "types 1\n");
  expect(shown).toBe(`${heading("types")}types 1\n`);
  write(lint, "lint 2\n");
  write(types, "types 2\n");
  types.end();
  expect(shown).toBe(`${heading("types")}types 1\ntypes 2\n${heading("lint")}lint 1\nlint 2\n`);
  lint.end();
  expect(shown.endsWith(`lint 2\n${heading("unit")}`)).toBe(true);
});
