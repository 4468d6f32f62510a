import { expect, it } from "vitest";
import { remember, rememberFor } from "./remember.ts";

const counting = () => {
  const computed: string[] = [];
  const lengthOf = remember((text) => {
    computed.push(text);
    return { length: text.length };
  });
  return { computed, lengthOf };
};

it("computes the result of a text once", () => {
  const { computed, lengthOf } = counting();
  const first = lengthOf("abc");
  expect(lengthOf("abc")).toBe(first);
  expect(lengthOf("abcd")).toEqual({ length: 4 });
  expect(computed).toEqual(["abc", "abcd"]);
});

it("keeps what is in use, and forgets the rest", () => {
  const { computed, lengthOf } = counting();
  lengthOf("rare");
  for (let number = 0; number < 5_000; number += 1) {
    lengthOf(`other ${number}`);
    lengthOf("used");
  }
  lengthOf("rare");
  expect(computed.filter((text) => text === "used")).toHaveLength(1);
  expect(computed.filter((text) => text === "rare")).toHaveLength(2);
});

it("does not remember long texts", () => {
  const { computed, lengthOf } = counting();
  const long = "x".repeat(301);
  expect([lengthOf(long), lengthOf(long)]).toEqual([{ length: 301 }, { length: 301 }]);
  expect(computed).toHaveLength(2);
});

it("computes the result of an object once", () => {
  let computed = 0;
  const numberOf = rememberFor((_: object) => ({ number: ++computed }));
  const [one, other] = [{}, {}];
  expect(numberOf(one)).toBe(numberOf(one));
  expect(numberOf(other)).toEqual({ number: 2 });
});
