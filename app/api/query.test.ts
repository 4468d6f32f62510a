import { expect, it } from "vitest";
import { z } from "zod";
import { type Contract, endpoint } from "./endpoint.ts";
import { readQuery } from "./query.ts";

const contractOf = (id: string, query: z.ZodType): Contract =>
  endpoint({
    ...{ id, tag: "Routes", method: "GET", path: "/routes", access: "bearer", summary: "", query },
    routeIdParameter: "id",
    answer: { status: 200, schema: z.object({}), description: "" },
  }) as unknown as Contract;

const text = contractOf("text", z.object({ id: z.string(), codes: z.string().transform((codes) => codes.split(",")) }));

it("reads a query once for each contract", () => {
  const search = new URLSearchParams("id=7&codes=a,b&utm=1");
  const query = readQuery(text, search);
  expect([query.routeId, query.unknown, query.parsed()]).toEqual([7, ["utm"], { id: "7", codes: ["a", "b"] }]);
  expect(readQuery(text, search).parsed()).toBe(query.parsed());

  const number = contractOf("number", z.object({ id: z.coerce.number() }));
  expect(readQuery(number, search).parsed()).toEqual({ id: 7 });
});

it("reads an equal query of another request anew", () => {
  const [one, other] = ["id=7&codes=a", "id=7&codes=a"].map((search) => readQuery(text, new URLSearchParams(search)));
  expect(other?.parsed()).toEqual(one?.parsed());
  expect(other?.parsed()).not.toBe(one?.parsed());
});

it("does not let one request change what others share", () => {
  const shared = readQuery(text, new URLSearchParams("id=7&codes=a")).parsed() as { id: string; codes: string[] };
  expect(() => Object.assign(shared, { id: "8" })).toThrow(TypeError);
  expect(() => shared.codes.push("b")).toThrow(TypeError);
});

it("rejects an invalid query each time", () => {
  const search = new URLSearchParams("codes=a");
  for (const _ of [1, 2])
    expect(() => readQuery(text, search).parsed()).toThrow(expect.objectContaining({ code: "invalid" }));
});
